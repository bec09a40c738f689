// Which kind of object an expression of a script is: a proxy of a service, the box, its timeline.

import { syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import { help, outputs, type Member, type OwnNames } from './help';

type Tree = ReturnType<typeof syntaxTree>;
export type SyntaxNode = ReturnType<Tree['resolveInner']>;
type Assigned = { target: string; at: number; value: SyntaxNode; within: number };

/** What a script assigns and defines; kept as long as its tree is. */
type Facts = { assigned: Assigned[]; methods: string[] };
const known = new WeakMap<Tree, Facts>();

/** How many expressions lead to one another: they may do so in a circle. */
const DEEPEST = 16;
const STRING = /^[a-zA-Z]{0,2}("""|'''|"|')/;

/** The function that a node is in; 0 for none. */
function within(node: SyntaxNode): number {
  for (let up = node.parent; up; up = up.parent) if (up.name === 'FunctionDefinition') return up.from;
  return 0;
}

/** What is asked of a script as it is now. */
export class Scope {
  readonly tree: Tree;

  constructor(
    readonly state: EditorState,
    readonly own: OwnNames,
  ) {
    this.tree = syntaxTree(state);
  }

  text(node: SyntaxNode): string {
    return this.state.sliceDoc(node.from, node.to);
  }

  facts(): Facts {
    const before = known.get(this.tree);
    if (before) return before;
    // By the text: a method that is just begun may keep those before it from being a part of the class.
    const methods = [...this.state.doc.toString().matchAll(/^[ \t]+def[ \t]+(\w+)[ \t]*\(/gm)].map(([, name]) => name!);
    const facts: Facts = { assigned: [], methods };
    this.tree.iterate({
      enter: ({ name, node }) => {
        if (name !== 'AssignStatement') return;
        const parts: SyntaxNode[] = [];
        for (let part = node.firstChild; part; part = part.nextSibling) parts.push(part);
        const value = parts.at(-1);
        if (!value || parts.some((part) => part.name === ',')) return;
        for (const part of parts.slice(0, -1)) {
          const target = this.text(part).replace(/\s/g, '');
          if (part.name === 'VariableName' || (part.name === 'MemberExpression' && /^self\.\w+$/.test(target))) facts.assigned.push({ target, at: part.from, value, within: within(node) });
        }
      },
    });
    known.set(this.tree, facts);
    return facts;
  }

  /** The text in a string; undefined of another expression. */
  string(node: SyntaxNode | null | undefined): string | undefined {
    if (node?.name !== 'String') return undefined;
    const [open = '', quote = ''] = STRING.exec(this.text(node)) ?? [];
    const inside = this.text(node).slice(open.length);
    return quote && inside.endsWith(quote) ? inside.slice(0, -quote.length) : inside;
  }

  /** Where the text in a string begins. */
  inside(node: SyntaxNode): number {
    return node.from + (STRING.exec(this.text(node))?.[0].length ?? 0);
  }

  argument(call: SyntaxNode): SyntaxNode | null {
    const first = call.getChild('ArgList')?.firstChild?.nextSibling;
    return first && first.name !== ')' ? first : null;
  }

  /** The members of a kind; those of a box are its outputs, too. */
  members(kind: string): Member[] {
    return kind === 'Box' ? [...outputs(this.own), ...help.members(kind)] : help.members(kind);
  }

  member(kind: string, name: string): Member | undefined {
    return this.members(kind).find((one) => one.name === name);
  }

  /** The member that an expression names, and the kind that has it. */
  named(node: SyntaxNode, deep = 0): { kind: string; member: Member } | undefined {
    if (node.name === 'VariableName') {
      const member = help.member('Global', this.text(node));
      return member && { kind: 'Global', member };
    }
    const [object, name] = [node.firstChild, node.lastChild];
    if (node.name !== 'MemberExpression' || !object || name?.name !== 'PropertyName') return undefined;
    const kind = this.text(object) === 'naoqi' ? 'Global' : this.kind(object, deep + 1);
    const member = kind && this.member(kind, this.text(name));
    return member ? { kind, member } : undefined;
  }

  /** The kind of an expression's value. */
  kind(node: SyntaxNode, deep = 0): string | undefined {
    if (deep > DEEPEST) return undefined;
    switch (node.name) {
      case 'VariableName': {
        const name = this.text(node);
        if (name === 'self') return 'Box';
        return this.assigned(name, node, deep) ?? help.member('Global', name)?.gives;
      }
      case 'MemberExpression': {
        const text = this.text(node).replace(/\s/g, '');
        const assigned = /^self\.\w+$/.test(text) ? this.attribute(text, deep) : undefined;
        if (assigned) return assigned;
        const found = this.named(node, deep);
        // Its methods are those of the proxy, and do not wait.
        if (found?.member.name === 'post') return this.kind(node.firstChild!, deep + 1);
        return found && !found.member.forms.length ? found.member.gives : undefined;
      }
      case 'CallExpression': {
        const found = node.firstChild && this.named(node.firstChild, deep);
        if (found?.member.names === 'service') {
          const service = this.string(this.argument(node));
          return service && help.kind(service)?.service ? service : undefined;
        }
        return found ? found.member.gives : undefined;
      }
      case 'ParenthesizedExpression':
        return node.firstChild?.nextSibling ? this.kind(node.firstChild.nextSibling, deep + 1) : undefined;
    }
    return undefined;
  }

  /** A variable: what it was last in this function, else in those around and in the script. */
  private assigned(name: string, node: SyntaxNode, deep: number): string | undefined {
    const all = this.facts().assigned.filter(({ target }) => target === name);
    for (let at: SyntaxNode | null = node, inner = true; at; at = at.parent) {
      if (at.name !== 'FunctionDefinition' && at.parent) continue;
      const here = at.parent ? at.from : 0;
      const there = all.filter((one) => one.within === here);
      const one = inner ? there.filter((one) => one.value.to <= node.from).at(-1) : there.at(-1);
      inner = false;
      if (one) return this.kind(one.value, deep + 1);
    }
    return undefined;
  }

  private attributed = new Map<string, string | undefined>();

  /** An attribute of the box: what it is assigned last, of what is known. */
  private attribute(name: string, deep: number): string | undefined {
    if (this.attributed.has(name)) return this.attributed.get(name);
    // It may be assigned from itself.
    this.attributed.set(name, undefined);
    let kind: string | undefined;
    for (const { target, value } of this.facts().assigned) if (target === name) kind = this.kind(value, deep + 1) ?? kind;
    this.attributed.set(name, kind);
    return kind;
  }

  /** The names of its own that a script gives the box. */
  attributes(): string[] {
    const { assigned, methods } = this.facts();
    return [...new Set([...assigned.filter(({ target }) => target.startsWith('self.')).map(({ target }) => target.slice(5)), ...methods.filter((name) => !/^(__|onInput_)/.test(name))])];
  }

  /** The call whose arguments a place is in, and which of them. */
  call(at: number): { call: SyntaxNode; member: Member; kind: string; argument: number } | undefined {
    for (let node: SyntaxNode | null = this.tree.resolveInner(at, -1); node; node = node.parent) {
      if (node.name === 'FunctionDefinition' || node.name === 'ClassDefinition') return undefined;
      if (node.name !== 'ArgList' || at <= node.from || (at >= node.to && this.text(node).endsWith(')'))) continue;
      const call = node.parent;
      const found = call?.name === 'CallExpression' && call.firstChild ? this.named(call.firstChild) : undefined;
      if (!call || !found?.member.forms.length) return undefined;
      let argument = 0;
      for (let part = node.firstChild; part && part.from < at; part = part.nextSibling) if (part.name === ',') argument++;
      return { call, ...found, argument };
    }
    return undefined;
  }
}
