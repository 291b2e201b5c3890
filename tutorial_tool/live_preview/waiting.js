// Stands where the findings of a page will stand, and asks for them until the linter has looked.
(() => {
  const place = document.currentScript.closest(".tt-writing");
  const ask = async () => {
    const answer = await fetch(place.dataset.from);
    if (answer.status === 202) return ask();
    const panel = document.createRange().createContextualFragment(await answer.text());
    return place.replaceWith(panel);
  };
  ask().catch(() => place.remove());
})();
