// Filters for the index of rules: severity, fix, and words. Without this script, the page lists all rules.
(() => {
  const head = (table) => [...table.querySelectorAll("thead th")].map((cell) => cell.textContent.trim()).join();
  const tables = [...document.querySelectorAll("article table")].filter((table) => head(table).startsWith("Rule,What it finds,Severity"));
  if (!tables.length) return;
  const groups = tables.map((table) => {
    const box = table.closest(".tt-table") || table;
    return { parts: [box, box.previousElementSibling], rows: [...table.querySelectorAll("tbody tr")] };
  });
  const form = document.createElement("form");
  form.className = "rule-filters";
  form.innerHTML = `
    <label>Severity <select name="severity"><option value="">all</option><option>error</option><option>warning</option><option>hint</option></select></label>
    <label>Fix <select name="fix"><option value="">all</option><option>--fix</option><option>--unsafe-fixes</option></select></label>
    <label>Words <input name="words" type="search" autocomplete="off"></label>
    <output></output>`;
  const show = () => {
    const wanted = Object.fromEntries(new FormData(form));
    let shown = 0, all = 0;
    for (const { parts, rows } of groups) {
      let left = 0;
      for (const row of rows) {
        const [, , severity, fix] = [...row.cells].map((cell) => cell.textContent.trim());
        const matches = [[severity, wanted.severity], [fix, wanted.fix]].every(([cell, word]) => cell.includes(word));
        row.hidden = !matches || !row.textContent.toLowerCase().includes(wanted.words.trim().toLowerCase());
        left += !row.hidden;
      }
      parts.forEach((part) => (part.hidden = !left));
      shown += left;
      all += rows.length;
    }
    form.querySelector("output").textContent = `${shown} of ${all} rules`;
  };
  form.addEventListener("input", show);
  form.addEventListener("submit", (event) => event.preventDefault());
  groups[0].parts[1].before(form);
  show();
})();
