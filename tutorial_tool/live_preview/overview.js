// Loads the overview again once the site has been built again; in a tab that nobody sees it asks for nothing.
(() => {
  let built = 0;
  let asking = null;
  const look = async () => {
    while (!document.hidden && asking === null) {
      asking = new AbortController();
      try {
        const answer = await fetch(`/livereload/${built}/${Date.now()}`, { signal: asking.signal });
        const now = Number(await answer.text());
        if (built && now > built) return location.reload();
        built = now;
      } catch {
        await new Promise((after) => setTimeout(after, 1000));
      }
      asking = null;
    }
  };
  document.addEventListener("visibilitychange", () => (document.hidden ? asking?.abort() : look()));
  look();
})();
