"""List software terms that are in no dictionary: they are correct, and so are their plurals."""

from __future__ import annotations

from functools import cache

_WORDS = """
arg attr auth bool char cmd cmp config ctx dep dest dev dict dir env enum err exec expr fmt func guid hex impl init int
iter lang len lib lint loc max min mod msg mux nav nil num obj param pkg pos prev prop proto ptr regex rel repo req res
spec src stat stdin stdout stderr str struct sync sys temp tmp uid gid pid uri url util uuid val var vec
deref doas enqueue dequeue flate inode interop lexed lockfile macos memoize paren parm passwd pointee polyfill
prefetch promisify requeue rerender resync rollup seh seeked serde shim stringify subclassed submodule symlink
transpile typedef unmarshal unref untar upsert
codec memoriam uint undef
containerd crond dockerd etcd firewalld httpd inetd initd journald launchd logind mongod mysqld networkd rsyncd sshd
statd syslogd systemd timesyncd udevd
"""
_ALONE = "cmap colgroup graphiql tbody tfoot thead"  # More terms, but without a plural: `theads` is a slip
_NEVER = """
anal anus arse ass boob boobs bitch cock crap cum cunt damn dick dildo fag faggot fuck fucks nigger nude nudes penis
piss poop porn pussy rape sex shit shits slut slutty sperm tit tits titties turd twat vagina wank whore whores
"""


@cache
def _split_words(words: str) -> frozenset[str]:
    return frozenset(words.split())


def contains_word(word: str) -> bool:
    """Return whether a lowercase word is a software term, in the singular or plural."""
    words = _split_words(_WORDS)
    if word in words or word in _split_words(_ALONE):
        return True
    return word.endswith("s") and (word[:-1] in words or word.removesuffix("es") in words)


def can_propose(word: str) -> bool:
    """Return whether a word, in any case, may be suggested to an author."""
    return word.lower() not in _split_words(_NEVER)
