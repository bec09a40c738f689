// In each page of the tablet: runs the scripts that `ALTabletService.executeJS` gives it, and passes what the page
// raises on to `ALTabletService.onJSEvent`.
(function () {
  'use strict';

  const key = location.pathname.split('/')[1];
  const socket = new WebSocket(`ws://${location.host}/${key}/scripts`);
  const unsent = [];
  socket.onopen = () => unsent.splice(0).forEach((text) => socket.send(text));
  // An indirect call: names that the script declares are the page's.
  socket.onmessage = ({ data }) => (0, eval)(data);

  window.ALTabletBinding ??= {
    raiseEvent(text) {
      const told = String(text).toWellFormed?.() ?? String(text);
      if (socket.readyState === WebSocket.OPEN) socket.send(told);
      else if (socket.readyState === WebSocket.CONNECTING) unsent.push(told);
    },
  };
})();
