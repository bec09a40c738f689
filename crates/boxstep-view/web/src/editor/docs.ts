// What is told of a member: beside the list of completions, under the pointer, and while a call is written.

import { StateEffect, StateField, type EditorState, type Extension } from '@codemirror/state';
import { hoverTooltip, keymap, showTooltip, type EditorView, type Tooltip } from '@codemirror/view';
import { handlers, help, SUPPORT, type Member, type OwnNames } from './help';
import { Scope } from './kinds';

function element(name: string, kind: string, text = ''): HTMLElement {
  const made = document.createElement(name);
  made.className = kind;
  made.textContent = text;
  return made;
}

/** How a member is used, what it does, and what becomes of it in simulation; with at most so many of its forms. */
export function described(kind: string, { name, forms, doc, support, source }: Member, most = Infinity): HTMLElement {
  const whole = element('div', 'cm-doc');
  const of = kind === 'Box' ? 'self.' : kind === 'Global' ? '' : `${kind}.`;
  for (const form of forms.length ? forms.slice(0, most) : ['']) whole.append(element('code', 'cm-form', `${of}${name}${form}`));
  if (forms.length > most) whole.append(element('p', 'cm-support', `and ${forms.length - most} other forms`));
  if (doc) whole.append(element('p', '', doc));
  if (support) whole.append(element('p', `cm-support ${support}`, `${SUPPORT[support]}${source === 'unknown' ? '; types not known' : source === 'described' ? '' : `; types as of ${source}`}`));
  return whole;
}

function titled(title: string, doc: string): HTMLElement {
  const whole = element('div', 'cm-doc');
  whole.append(element('code', 'cm-form', title));
  if (doc) whole.append(element('p', '', doc));
  return whole;
}

function service(name: string): HTMLElement | undefined {
  const kind = help.kind(name);
  if (!kind?.service) return undefined;
  const whole = titled(name, kind.doc);
  const count = (support: Member['support']) => kind.members.filter((member) => member.support === support).length;
  const words = [`${count('simulated')} methods simulated`, `${count('accepted')} accepted`, `${count('known')} on robots only`];
  whole.append(element('p', 'cm-support', words.join(', ')));
  return whole;
}

/** What is told of the word at a place. */
function about(state: EditorState, at: number, side: -1 | 0 | 1, own: OwnNames): { from: number; to: number; told: HTMLElement } | undefined {
  const scope = new Scope(state, own);
  const node = scope.tree.resolveInner(at, side || 1);
  const { from, to, parent } = node;
  const text = scope.text(node);
  if (node.name === 'String' && parent?.name === 'ArgList' && parent.parent?.firstChild) {
    const what = scope.named(parent.parent.firstChild)?.member.names;
    const name = scope.argument(parent.parent)?.from === from ? scope.string(node) : undefined;
    if (!what || !name) return undefined;
    const one = { parameter: own.parameters, port: [...own.inputs, ...own.outputs], service: [], key: [] }[what].find((one) => one.name === name);
    const told = what === 'service' ? service(name) : one && titled(`${one.name} (${one.type})`, one.tooltip);
    return told && { from, to, told };
  }
  if (node.name === 'PropertyName' && parent) {
    const found = scope.named(parent);
    return found && { from, to, told: described(found.kind, found.member) };
  }
  if (node.name !== 'VariableName') return undefined;
  const defined = parent?.name === 'FunctionDefinition' && [...handlers(own), ...help.members('Hook')].find((one) => one.name === text);
  if (defined) return { from, to, told: described('Box', defined) };
  const kind = scope.kind(node);
  if (kind && help.kind(kind)?.service) return { from, to, told: service(kind)! };
  const member = help.member('Global', text);
  return member && { from, to, told: described('Global', member) };
}

type Hint = { call: number; member: Member; argument: number };
/** Whether a call is written, or what is told of a word was asked for. */
const ask = StateEffect.define<'call' | 'word' | 'nothing'>();

/** The arguments of the call that is written, the one at the cursor in bold. */
function written({ member, argument }: Hint): HTMLElement {
  const whole = element('div', 'cm-doc cm-call');
  for (const form of member.forms) {
    const line = element('code', 'cm-form', member.name);
    const { inside, rest } = split(form);
    line.append('(');
    inside.forEach((part, at) => {
      if (at) line.append(', ');
      line.append(at === argument || (part === '…' && argument > at) ? element('strong', '', part) : part);
    });
    line.append(`)${rest}`);
    whole.append(line);
  }
  whole.append(element('p', '', member.doc));
  if (member.support && member.support !== 'simulated') whole.append(element('p', `cm-support ${member.support}`, SUPPORT[member.support]));
  return whole;
}

/** The arguments of a form, and what follows them. */
function split(form: string): { inside: string[]; rest: string } {
  const inside: string[] = [];
  let [deep, from] = [0, 1];
  for (let at = 0; at < form.length; at++) {
    const one = form[at]!;
    if ('([{'.includes(one)) deep++;
    if (')]}'.includes(one)) deep--;
    if ((one === ',' && deep === 1) || deep === 0) {
      const part = form.slice(from, at).trim();
      if (part) inside.push(part);
      from = at + 1;
    }
    if (deep === 0) return { inside, rest: form.slice(at + 1) };
  }
  return { inside, rest: '' };
}

/** What is told of a script, by pointer and while it is written. */
export function docs(own: () => OwnNames): Extension {
  const call = (state: EditorState): Hint | null => {
    const at = state.selection.main;
    const found = at.empty ? new Scope(state, own()).call(at.head) : undefined;
    return found ? { call: found.call.from, member: found.member, argument: found.argument } : null;
  };
  const word = (state: EditorState) => about(state, state.selection.main.head, -1, own()) ?? about(state, state.selection.main.head, 1, own());
  const shown = (dom: HTMLElement, at: number): Tooltip => ({
    pos: at,
    above: true,
    create: () => {
      // Whoever hears the page is told, too.
      dom.setAttribute('role', 'status');
      return { dom };
    },
  });
  const hint = StateField.define<{ hint?: Hint; tooltip: Tooltip } | null>({
    create: () => null,
    update(now, done) {
      const { state, docChanged, selection } = done;
      const asked = done.effects.find((effect) => effect.is(ask))?.value as 'call' | 'word' | 'nothing' | undefined;
      if (asked === 'nothing') return null;
      if (asked === 'word') {
        const told = word(state);
        return told ? { tooltip: shown(told.told, told.from) } : null;
      }
      let opens = asked === 'call';
      if (docChanged && done.isUserEvent('input')) done.changes.iterChanges((_a, _b, _c, _d, text) => (opens ||= /[(,]/.test(text.toString())));
      if (!opens && (!now || (!docChanged && !selection))) return now;
      if (!opens && !now?.hint) return null;
      const next = call(state);
      if (!next) return null;
      // At the cursor: the beginning of a long line may be out of sight.
      const at = state.selection.main.head;
      if (now?.hint && next.call === now.hint.call && next.member === now.hint.member && next.argument === now.hint.argument) return { ...now, tooltip: { ...now.tooltip, pos: at } };
      return { hint: next, tooltip: shown(written(next), at) };
    },
    provide: (field) => showTooltip.from(field, (one) => one?.tooltip ?? null),
  });
  const close = (view: EditorView) => {
    if (!view.state.field(hint)) return false;
    view.dispatch({ effects: ask.of('nothing') });
    return true;
  };
  /** By keyboard: the word at the cursor, and the next time the call that it is in. */
  const tell = (view: EditorView) => {
    const { state } = view;
    const now = state.field(hint);
    const told = word(state) && (!now || now.hint || !call(state));
    view.dispatch({ effects: ask.of(told ? 'word' : 'call') });
    return true;
  };
  return [
    hint,
    hoverTooltip((view, at, side) => {
      const found = about(view.state, at, side, own());
      return found ? { pos: found.from, end: found.to, above: true, create: () => ({ dom: found.told }) } : null;
    }),
    keymap.of([
      { key: 'Escape', run: close },
      { key: 'Ctrl-Shift-Space', run: tell },
    ]),
  ];
}
