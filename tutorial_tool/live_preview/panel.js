// Marks the texts that findings concern, where the page shows them as they are typed.
(() => {
  const panel = document.currentScript.closest(".tt-writing");
  const mark = () => {
    const content = document.querySelector("article, main, [role=main]") || document.body;
    for (const [number, item] of [...panel.querySelectorAll("li[data-text]")].entries()) {
      const walker = document.createTreeWalker(content, NodeFilter.SHOW_TEXT, {
        acceptNode: (node) => (panel.contains(node) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT),
      });
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const at = node.data.indexOf(item.dataset.text);
        if (at < 0 || node.parentElement.closest("script, style, svg, mark.tt-writing-mark")) continue;
        const found = node.splitText(at);
        found.splitText(item.dataset.text.length);
        const shown = document.createElement("mark");
        shown.className = "tt-writing-mark";
        shown.id = `tt-finding-${number + 1}`;
        found.replaceWith(shown);
        shown.append(found);
        const link = document.createElement("a");
        link.href = `#${shown.id}`;
        link.textContent = "on this page";
        item.querySelector(".tt-writing-links").append(link);
        break;
      }
    }
  };
  // On a narrow window it would cover the page: there it opens when it is asked to. A panel that the author has closed
  // or opened stays so on every page of the tab, but for one that says that the page is not up to date.
  const box = panel.querySelector("details");
  const isWide = matchMedia("(min-width: 60em)").matches;
  let chosen = null;
  try {
    chosen = sessionStorage.getItem("tutorial-tool:panel");
    box.querySelector("summary").addEventListener("click", () => {
      sessionStorage.setItem("tutorial-tool:panel", box.open ? "closed" : "open");
    });
  } catch {
    // storage is blocked: each page has its own
  }
  const isWrong = isWide && panel.classList.contains("tt-writing-wrong");
  box.open = isWrong || (panel.querySelector("li") !== null && (chosen === "open" || (isWide && chosen === null)));
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", mark);
  else mark();
})();
