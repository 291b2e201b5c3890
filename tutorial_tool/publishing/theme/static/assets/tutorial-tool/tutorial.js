/* Remembers the reader's platform and done steps, in this browser only. Every page works without it. */
(function () {
  "use strict";

  var EVERYONE = "*"; /* the page of a step for all platforms */
  var memory = {};

  /* What is remembered: {platform, before: [PLATFORM], done: {"TUTORIAL/PLATFORM": [STEP]}}. Where storage is blocked, until the page closes. */
  function read(key) {
    try {
      memory = JSON.parse(localStorage.getItem(key)) || memory;
    } catch (blocked) {
      /* what memory holds */
    }
    if (typeof memory !== "object" || Array.isArray(memory)) memory = {};
    if (typeof memory.done !== "object" || !memory.done) memory.done = {};
    return memory;
  }

  function write(key) {
    try {
      localStorage.setItem(key, JSON.stringify(memory));
    } catch (blocked) {
      /* this page still knows */
    }
  }

  function all(selector, within) {
    return Array.prototype.slice.call((within || document).querySelectorAll(selector));
  }

  function keyOf(element) {
    return "tutorial-tool:" + new URL(element.dataset.root || ".", location.href).pathname;
  }

  /* The anchor of the address, on the links to platforms whose page has it too. */
  function keepAnchor(head) {
    function update() {
      var anchor = "";
      try {
        anchor = decodeURIComponent(location.hash.slice(1));
      } catch (malformed) {
        /* no anchor of ours */
      }
      all(".tt-switch a[data-platform]", head).forEach(function (link) {
        var known = (link.dataset.anchors || "").split(" ");
        link.hash = anchor && known.indexOf(anchor) >= 0 ? anchor : "";
        if (!link.hash) link.href = link.href.replace(/#$/, "");
      });
    }
    update();
    ["pointerover", "pointerdown", "focusin", "click"].forEach(function (event) {
      head.addEventListener(event, update);
    });
    addEventListener("hashchange", update);
  }

  /* Content tabs that bear platforms' names show the platform; one that a reader selects is a choice, too. Tabs that
     have one such name by chance, such as a language's, are left alone; those that show it because the reader was on
     that platform `before` start with their first again. */
  function linkTabs(key, names, platform, before) {
    /* A tab of a page for all platforms may bear the names of several. */
    function idsOf(label) {
      var ids = Object.keys(names);
      var all = [label.textContent.trim()].concat(label.textContent.trim().split(", "));
      return ids.filter(function (id) {
        return id !== EVERYONE && all.indexOf(names[id]) >= 0;
      });
    }
    function show(chosen) {
      sets.forEach(function (each) {
        each.tabs.forEach(function (tab) {
          if (each.isOurs && tab.ids.indexOf(chosen) >= 0) check(tab.input);
        });
      });
    }
    var sets = all(".tabbed-set").map(function (set) {
      var labels = all(":scope > .tabbed-labels > label", set);
      var tabs = labels.map(function (label) {
        return { ids: idsOf(label), input: document.getElementById(label.htmlFor) };
      });
      var named = tabs.filter(function (tab) {
        return tab.ids.length;
      });
      var isOurs = named.length * 2 > labels.length || named.some(function (tab) {
        return tab.ids.indexOf(platform) >= 0;
      });
      named.forEach(function (tab) {
        if (!tab.input) return;
        if (isOurs)
          tab.input.addEventListener("change", function () {
            if (!tab.input.checked || tab.ids.indexOf(read(key).platform) >= 0) return;
            choose(key, tab.ids[0], names);
            show(tab.ids[0]);
          });
        else if (tab.ids[0] === before && before !== platform && tab.input.checked && tab !== tabs[0])
          check(tabs[0].input);
      });
      return { isOurs: isOurs, tabs: named };
    });
    show(platform);
  }

  function check(input) {
    if (!input || input.checked) return;
    input.checked = true;
    input.dispatchEvent(new Event("change", { bubbles: true }));
  }

  /* The platforms that the reader was on, the last one first: of several tutorials, each may have others. */
  function visited() {
    var before = Array.isArray(memory.before) ? memory.before : [];
    return memory.platform ? [memory.platform].concat(before.slice(0, 9)) : before;
  }

  /* Returns the platform before. */
  function choose(key, platform, names) {
    var before = read(key).platform;
    memory.before = visited().filter(function (id) {
      return id !== platform;
    });
    memory.platform = platform;
    write(key);
    /* Material selects linked tabs before it paints; tell it. */
    var name = names[platform];
    if (!name || typeof window.__md_set !== "function" || typeof window.__md_get !== "function") return before;
    try {
      var tabs = window.__md_get("__tabs") || [];
      if (tabs[0] !== name) {
        window.__md_set("__tabs", [name].concat(tabs.filter(function (tab) {
          return tab !== name && (before === platform || tab !== names[before]);
        })));
      }
    } catch (blocked) {
      /* tabs start with their first */
    }
    return before;
  }

  /* The marks of done steps: in our list, on the bar, and on every link of the navigation that leads to one. */
  function showDone(head, key, list) {
    var place = head.dataset.tutorial + "/" + head.dataset.platform;
    var done = read(key).done[place];
    done = Array.isArray(done) ? done : [];
    var word = list ? list.dataset.done : "";
    var pages = {};
    all(".tt-steps a[data-step]", head).forEach(function (link) {
      pages[link.pathname] = done.indexOf(link.dataset.step) >= 0;
    });
    all(".tt-steps a[data-step], nav.md-nav a.md-nav__link[href]").forEach(function (link) {
      if (!(link.pathname in pages) || link.hash) return;
      link.classList.toggle("tt-is-done", pages[link.pathname]);
      var said = link.querySelector(".tt-hidden");
      if (said) said.remove();
      if (pages[link.pathname] && word) {
        said = document.createElement("span");
        said.className = "tt-hidden";
        said.textContent = " (" + word + ")";
        link.append(said);
      }
    });
    all(".tt-meter i", head).forEach(function (part) {
      part.classList.toggle("tt-is-done", done.indexOf(part.dataset.step) >= 0);
    });
    all(".tt-clear", head).forEach(function (button) {
      button.hidden = !done.length;
    });
    all(".tt-done input").forEach(function (box) {
      box.checked = done.indexOf(head.dataset.step) >= 0;
    });
  }

  function keepDone(head, key) {
    var list = head.querySelector(".tt-steps");
    var place = head.dataset.tutorial + "/" + head.dataset.platform;
    function set(change) {
      var done = read(key).done[place];
      memory.done[place] = change(Array.isArray(done) ? done : []);
      write(key);
      showDone(head, key, list);
    }
    all(".tt-done input").forEach(function (box) {
      box.addEventListener("change", function () {
        set(function (done) {
          var others = done.filter(function (step) {
            return step !== head.dataset.step;
          });
          return box.checked ? others.concat(head.dataset.step) : others;
        });
      });
    });
    all(".tt-clear", head).forEach(function (button) {
      button.addEventListener("click", function () {
        list.querySelector("summary").focus();
        set(function () {
          return [];
        });
      });
    });
    showDone(head, key, list);
  }

  /* The list of steps closes as menus do. */
  function closeList(list) {
    list.addEventListener("keydown", function (event) {
      if (event.key !== "Escape" || !list.open) return;
      list.open = false;
      list.querySelector("summary").focus();
    });
    document.addEventListener("click", function (event) {
      if (!list.contains(event.target)) list.open = false;
    });
  }

  /* Where the platforms are wider than their line, the chosen one is in its middle. */
  function showChosen(head) {
    all(".tt-switch [aria-current]", head).forEach(function (link) {
      var list = link.closest("ul");
      var line = list.getBoundingClientRect();
      var box = link.getBoundingClientRect();
      list.scrollLeft += box.left + box.width / 2 - line.left - line.width / 2;
    });
  }

  function step(head) {
    var key = keyOf(head);
    var names = {};
    all(".tt-switch [data-platform]", head).forEach(function (item) {
      names[item.dataset.platform] = item.textContent.trim();
    });
    var isForAll = head.dataset.platform === EVERYONE;
    var before = isForAll ? read(key).platform : choose(key, head.dataset.platform, names);
    keepAnchor(head);
    showChosen(head);
    keepDone(head, key);
    all(".tt-steps, .tt-menu", head).forEach(closeList);
    linkTabs(key, names, isForAll ? before : head.dataset.platform, before);
  }

  /* A link with the class `tutorial-start` leads to the tutorial's first page on the remembered platform. */
  function elsewhere(data) {
    var key = keyOf(data);
    var said = JSON.parse(data.textContent);
    var platform = read(key).platform;
    all("a.tutorial-start[href]").forEach(function (link) {
      var starts = said.starts.find(function (starts) {
        return Object.values(starts).some(function (url) {
          return new URL(url, location.href).pathname === link.pathname;
        });
      });
      var own = visited().find(function (id) {
        return starts && Object.prototype.hasOwnProperty.call(starts, id);
      });
      if (!own) return;
      link.href = starts[own];
      var name = document.createElement("span");
      name.textContent = " · " + said.platforms[own];
      link.append(name);
    });
    linkTabs(key, said.platforms, platform, platform);
  }

  function start() {
    all("[data-tutorial-tool]").forEach(function (element) {
      if (element.dataset.ready) return;
      element.dataset.ready = "true";
      if (element.dataset.step) step(element);
      else elsewhere(element);
    });
  }

  /* Material changes pages without loading them (`navigation.instant`), and tells so here. */
  if (window.document$ && window.document$.subscribe) window.document$.subscribe(start);
  else if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();

  /* So does Docusaurus, which does not tell. */
  if (document.getElementById("__docusaurus"))
    new MutationObserver(start).observe(document.body, { childList: true, subtree: true });
})();
