/* Tables: a button that copies one as text. A stop for the keyboard where there is something to scroll, and nowhere else. */
(function () {
  "use strict";

  function cellText(cell) {
    return cell.innerText.replace(/\s+/g, " ").trim();
  }

  /* A line for each row, tabs between the cells: readable in a message, and a table again in a spreadsheet. */
  function asText(table) {
    return Array.prototype.map
      .call(table.rows, function (row) {
        return Array.prototype.map.call(row.cells, cellText).join("\t");
      })
      .join("\n");
  }

  /* Where the browser has no clipboard for pages (http), the table is selected and copied by the old command. */
  function copy(table) {
    if (navigator.clipboard) return navigator.clipboard.writeText(asText(table));
    var area = document.createElement("textarea");
    area.value = asText(table);
    area.style.position = "fixed";
    document.body.appendChild(area);
    area.select();
    var copied = document.execCommand("copy");
    area.remove();
    return copied ? Promise.resolve() : Promise.reject(new Error("not copied"));
  }

  function addButton(place) {
    if (place.querySelector(".tt-copy")) return;
    var button = document.createElement("button");
    var said = document.createElement("span");
    button.type = "button";
    button.className = "tt-copy";
    button.textContent = place.dataset.copy;
    said.className = "tt-copy-said";
    said.setAttribute("role", "status");
    button.addEventListener("click", function () {
      copy(place.querySelector("table")).then(
        function () {
          button.textContent = said.textContent = place.dataset.copied;
          setTimeout(function () {
            button.textContent = place.dataset.copy;
            said.textContent = "";
          }, 2000);
        },
        function () {
          getSelection().selectAllChildren(place.querySelector("table")); /* the reader copies it */
        },
      );
    });
    place.append(button, said);
  }

  function follow(scroller) {
    function update() {
      if (scroller.scrollWidth > scroller.clientWidth) scroller.tabIndex = 0;
      else if (document.activeElement !== scroller) scroller.removeAttribute("tabindex");
    }
    update();
    if (window.ResizeObserver) new ResizeObserver(update).observe(scroller);
  }

  function start() {
    document.querySelectorAll(".tt-table[data-copy]").forEach(addButton);
    document.querySelectorAll(".tt-scroll, .tt-figure[tabindex], .tabbed-labels").forEach(follow);
  }

  if (window.document$) window.document$.subscribe(start); /* Material: also after it has changed the page in place */
  else if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
