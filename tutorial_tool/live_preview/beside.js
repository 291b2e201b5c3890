
// Shows what the linter finds on the step that is open, beside a server that is not ours.
(() => {
  let shown = "";
  const show = async () => {
    const step = document.querySelector(".tt-head[data-step]")?.dataset;
    const old = document.querySelector("body > .tt-writing");
    if (!step) return old?.remove();
    const answer = await fetch(`OVERVIEWpanel?page=${step.tutorial}/${step.step}/${step.platform}`);
    const panel = await answer.text();
    if (answer.status !== 200 || (old && panel === shown)) return undefined;
    old?.remove();
    shown = panel;
    return document.body.append(document.createRange().createContextualFragment(panel));
  };
  const again = () => show().catch(() => undefined).then(() => setTimeout(again, 1000));
  again();
})();
