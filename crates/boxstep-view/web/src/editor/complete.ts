// Completion in scripts: what the box, the services and the memory have.

import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import type { EditorView } from '@codemirror/view';
import { described } from './docs';
import { handlers, help, type Member, type Names, type OwnNames } from './help';
import { Scope, type SyntaxNode } from './kinds';

const WORD = /^\w*$/;
/** How many forms of a method are told beside the list, which is to leave the script in sight. */
const MOST_FORMS = 2;
const IDENTIFIER = /^[A-Za-z_]\w*$/;

/** Writes the call of a method; the cursor stands where its arguments go. */
function call(member: Member) {
  return (view: EditorView, _: Completion, from: number, to: number) => {
    const called = view.state.sliceDoc(to, to + 1) === '(';
    const takes = member.forms.some((form) => !form.startsWith('()'));
    const insert = called ? member.name : `${member.name}()`;
    const anchor = from + insert.length - (called || !takes ? 0 : 1);
    view.dispatch({ changes: { from, to, insert }, selection: { anchor }, userEvent: 'input.complete' });
  };
}

const option = (kind: string, member: Member, boost = 0): Completion => ({
  label: member.name,
  type: member.forms.length ? 'method' : 'property',
  detail: member.forms[0],
  boost,
  info: () => described(kind, member, MOST_FORMS),
  ...(member.forms.length ? { apply: call(member) } : {}),
});

/** What a text can name. */
function named(what: Names, own: OwnNames): Completion[] {
  const about = (type: string, tooltip: string) => ({ detail: type, ...(tooltip ? { info: tooltip } : {}) });
  switch (what) {
    case 'service':
      return help.services().map(([label, { doc }]) => ({ label, type: 'class', info: doc }));
    case 'key':
      return help.keys.map((label) => ({ label, type: 'constant' }));
    case 'parameter':
      return own.parameters.map(({ name, type, tooltip }) => ({ label: name, type: 'constant', ...about(type, tooltip) }));
    case 'port':
      return [...own.inputs, ...own.outputs].map(({ name, type, tooltip }) => ({ label: name, type: 'constant', ...about(type, tooltip) }));
  }
}

/** Completion in a text that names something. */
function inString(node: SyntaxNode, at: number, scope: Scope, own: OwnNames): CompletionResult | null {
  const call = node.parent?.name === 'ArgList' ? node.parent.parent : null;
  if (!call?.firstChild || scope.argument(call)?.from !== node.from) return null;
  const what = scope.named(call.firstChild)?.member.names;
  const from = scope.inside(node);
  return what && at >= from ? { from, options: named(what, own), validFor: /^[^'"\n]*$/ } : null;
}

/** The members of what stands before the dot. */
function members(dot: number, from: number, scope: Scope): CompletionResult | null {
  let object: SyntaxNode | null = scope.tree.resolveInner(dot, -1);
  while (object?.parent && object.parent.to === dot && object.parent.name !== 'ExpressionStatement') object = object.parent;
  const kind = object && scope.kind(object);
  if (!kind) return null;
  const own = kind === 'Box' ? scope.attributes().filter((name) => !scope.member(kind, name)).map((label): Completion => ({ label, type: 'property', boost: 1 })) : [];
  const told = scope.members(kind).filter(({ name }) => IDENTIFIER.test(name));
  // What a robot alone has comes last, and what every service has.
  const boost = ({ support, name }: Member) => (support === 'known' ? -2 : kind !== 'Box' && (help.member('every service', name) ?? help.member('Proxy', name)) ? -1 : kind === 'Box' && !help.member(kind, name) ? 2 : 0);
  return { from, options: [...own, ...told.map((member) => option(kind, member, boost(member)))], validFor: WORD };
}

/** The methods that the engine calls, where one is defined. */
function defined(from: number, scope: Scope, own: OwnNames): CompletionResult | null {
  const there = scope.facts().methods;
  const all = [...handlers(own), ...help.members('Hook')].filter(({ name }) => IDENTIFIER.test(name) && !there.includes(name));
  const options = all.map((member): Completion => {
    const more = (member.forms[0] ?? '()').slice(1, -1);
    return { label: member.name, type: 'method', apply: `${member.name}(self${more ? `, ${more}` : ''}):`, info: () => described('Box', member) };
  });
  return { from, options, validFor: WORD };
}

export const completes = (own: () => OwnNames) => (context: CompletionContext): CompletionResult | null => {
  const scope = new Scope(context.state, own());
  const node = scope.tree.resolveInner(context.pos, -1);
  if (node.name === 'String') return inString(node, context.pos, scope, own());
  if (node.name === 'Comment') return null;
  const word = context.matchBefore(/\w*$/);
  const from = word?.from ?? context.pos;
  const before = context.state.sliceDoc(context.state.doc.lineAt(from).from, from);
  if (/\.\s*$/.test(before)) return members(from - /\.\s*$/.exec(before)![0].length, from, scope);
  if (/^\s+def\s+$/.test(before)) return defined(from, scope, own());
  if (!context.explicit && !word?.text) return null;
  return { from, options: help.members('Global').map((member) => option('Global', member)), validFor: WORD };
};
