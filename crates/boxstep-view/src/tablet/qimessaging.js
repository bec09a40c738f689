// The services of the robot, for pages of its tablet: the interface of `/libs/qimessaging/1.0/qimessaging.js` and of
// `/libs/qimessaging/2/qimessaging.js`, over the messages of `link.rs`.
(function () {
  'use strict';

  // A promise with the names that version 1.0 has from jQuery.
  class Reply extends Promise {
    done(...handlers) {
      for (const handler of handlers) this.then(handler, () => {});
      return this;
    }

    fail(...handlers) {
      for (const handler of handlers) this.then(null, handler);
      return this;
    }

    always(...handlers) {
      for (const handler of handlers) this.then(handler, handler);
      return this;
    }

    progress() {
      return this;
    }

    promise() {
      return this;
    }
  }

  // Values as pages know them: raw data as base64.
  function plain(value) {
    if (Array.isArray(value)) return value.map(plain);
    if (value === null || typeof value !== 'object') return value;
    if ('$bytes' in value) return value.$bytes;
    if ('$float' in value) return { nan: NaN, inf: Infinity, '-inf': -Infinity }[value.$float];
    const pairs = '$map' in value ? value.$map : Object.entries(value);
    return Object.fromEntries(pairs.map(([key, of]) => [key, plain(of)]));
  }

  // Values as messages have them. Half a character, which JavaScript allows in a text, is replaced.
  function sendable(key, value) {
    if (typeof value === 'string') return value.toWellFormed?.() ?? value;
    if (typeof value === 'number' && !Number.isFinite(value)) {
      return { $float: Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf' };
    }
    const isPlain = value !== null && typeof value === 'object' && !Array.isArray(value);
    return isPlain && Object.keys(value).some((name) => name.startsWith('$')) ? { $map: Object.entries(value) } : value;
  }

  // The handlers of the connection's events, as in socket.io.
  class Events {
    constructor() {
      this._handlers = { connect: [], disconnect: [], error: [] };
    }

    on(event, handler) {
      (this._handlers[event] ??= []).push(handler);
      return this;
    }

    emit(event, ...args) {
      for (const handler of [...(this._handlers[event] ?? [])]) handler(...args);
    }
  }

  class Session {
    constructor() {
      this._last = 0;
      // The functions that settle open requests, by number.
      this._open = new Map();
      // The functions that are connected to signals, by number.
      this._links = new Map();
      this._unsent = [];
      this._events = new Events();
      const key = location.pathname.split('/')[1];
      this._socket = new WebSocket(`ws://${location.host}/${key}/services`);
      this._socket.onopen = () => {
        for (const message of this._unsent.splice(0)) this._socket.send(message);
        this._events.emit('connect', this);
      };
      this._socket.onmessage = ({ data }) => this._receive(JSON.parse(data));
      this._socket.onclose = () => this._close();
    }

    service(name) {
      return this._ask({ service: String(name) }).then(() => service(this, String(name)));
    }

    socket() {
      return this._events;
    }

    isConnected() {
      return this._socket.readyState === WebSocket.OPEN;
    }

    disconnect() {
      this._socket.close();
    }

    _ask(wish) {
      const id = ++this._last;
      if (this._socket.readyState > WebSocket.OPEN) return Reply.reject('the robot is not connected');
      let message;
      try {
        message = JSON.stringify({ id, ...wish }, sendable);
      } catch (error) {
        return Reply.reject(String(error));
      }
      const reply = new Reply((resolve, reject) => this._open.set(id, { resolve, reject }));
      if (this.isConnected()) this._socket.send(message);
      else this._unsent.push(message);
      return reply;
    }

    _connect(to, handler) {
      const id = this._last + 1;
      this._links.set(id, handler);
      const reply = this._ask({ connect: to }).then(() => id);
      reply.then(null, () => this._links.delete(id));
      return reply;
    }

    _disconnect(link) {
      this._links.delete(link);
      return this._ask({ disconnect: link });
    }

    _receive({ id, value, error, link, args }) {
      if (link !== undefined) {
        this._links.get(link)?.(...plain(args));
        return;
      }
      const open = this._open.get(id);
      this._open.delete(id);
      if (error === undefined) open?.resolve(plain(value));
      else open?.reject(error);
    }

    _close() {
      const open = [...this._open.values()];
      this._open.clear();
      this._links.clear();
      for (const { reject } of open) reject('the robot is not connected');
      this._events.emit('disconnect', 'the robot is not connected');
    }
  }

  function signal(session, to) {
    return { connect: (handler) => session._connect(to, handler), disconnect: (link) => session._disconnect(link) };
  }

  // A method, signal or property of a service, whichever of these the robot has.
  function member(session, of, name) {
    const call = (method, args) => session._ask({ call: [of, method, args] });
    const value = () => call('property', [name]);
    const setValue = (to) => call('setProperty', [name, to]);
    return Object.assign((...args) => call(name, args), signal(session, { signal: [of, name] }), { value, setValue });
  }

  function service(session, name) {
    const members = Object.create(null);
    if (name === 'ALMemory') {
      members.subscriber = (key) => Reply.resolve({ signal: signal(session, { event: String(key) }) });
    }
    return new Proxy(members, {
      get(known, key) {
        // A promise would take an object with a method `then` for another promise.
        if (typeof key !== 'string' || key === 'then' || key === 'toJSON') return undefined;
        return (known[key] ??= member(session, name, key));
      },
    });
  }

  // Version 1.0 is `new QiSession(host)`, version 2 `QiSession(connected, disconnected, host)`; the robot is always the
  // one that shows the page.
  window.QiSession = function (connected, disconnected) {
    const session = new Session();
    if (typeof connected === 'function') session._events.on('connect', connected);
    if (typeof disconnected === 'function') session._events.on('disconnect', disconnected);
    return session;
  };
})();
