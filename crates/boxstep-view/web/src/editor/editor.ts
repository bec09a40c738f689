// Scripts in CodeMirror: the chunk `editor.js`, which is loaded when a script is first shown. It can also be written in.

import { acceptCompletion, autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { python, pythonLanguage } from '@codemirror/lang-python';
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { Annotation, Compartment, EditorState, RangeSet, StateEffect, StateField, Transaction, type Extension } from '@codemirror/state';
import { Decoration, drawSelection, EditorView, gutterLineClass, GutterMarker, highlightSpecialChars, keymap, lineNumbers, WidgetType, type DecorationSet } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { completes } from './complete';
import { docs } from './docs';
import { help, type OwnNames } from './help';
import type { Language, Mark, Problem } from './marks';
import { MODES } from './modes';

// The colours of the page, in both schemes, nearer to that of text where a marked line would leave too little contrast.
const near = (colour: string) => `color-mix(in srgb, var(${colour}) 80%, var(--bx-ink))`;
const colours = HighlightStyle.define([
  { tag: tags.comment, color: 'var(--bx-soft)', fontStyle: 'italic' },
  { tag: [tags.string, tags.special(tags.string)], color: near('--bx-bitmap') },
  { tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword, tags.self, tags.bool, tags.null], color: 'var(--bx-dynamic)' },
  { tag: tags.number, color: near('--bx-number') },
  { tag: [tags.function(tags.definition(tags.variableName)), tags.definition(tags.className), tags.meta], color: near('--bx-string') },
  { tag: tags.invalid, color: 'var(--bad)' },
]);

const looks = EditorView.theme({
  '&': { fontSize: 'var(--t2)', color: 'var(--bx-ink)', backgroundColor: 'var(--bx-canvas)', borderRadius: 'var(--r1)', maxHeight: 'var(--script-height, 28rem)' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5' },
  '.cm-content': { caretColor: 'var(--bx-ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--bx-ink)' },
  '.cm-gutters': { backgroundColor: 'var(--bx-canvas)', color: 'var(--bx-soft)', border: '0' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: 'var(--tint)' },
  '.cm-line.cm-failed, .cm-failed.cm-gutterElement': { backgroundColor: 'var(--bx-beyond)' },
  '.cm-line.cm-failed': { boxShadow: 'inset 3px 0 var(--bad)' },
  '.cm-line.cm-waits, .cm-waits.cm-gutterElement': { backgroundColor: 'var(--bx-changedback)' },
  '.cm-line.cm-waits': { boxShadow: 'inset 3px 0 var(--warn)' },
  '.cm-line.cm-shown:not(.cm-failed, .cm-waits)': { backgroundColor: 'var(--tint)', boxShadow: 'inset 3px 0 var(--accent)' },
  '.cm-note': { marginLeft: '2ch', fontFamily: 'system-ui, sans-serif', fontStyle: 'italic', whiteSpace: 'pre', userSelect: 'none' },
  '.cm-note.failed': { color: 'var(--bad)' },
  '.cm-note.waits': { color: 'var(--warn)' },
  '.cm-panels': { backgroundColor: 'var(--bx-page)', color: 'var(--bx-ink)' },
  '.cm-panels.cm-panels-top': { borderBottom: '1px solid var(--bx-edge)' },
  '.cm-panel.cm-search label': { fontSize: 'var(--t2)' },
  '.cm-textfield': { backgroundColor: 'var(--bx-box)', border: '1px solid var(--bx-line)', fontSize: 'var(--t2)' },
  '.cm-button': { backgroundImage: 'none', backgroundColor: 'var(--bx-box)', border: '1px solid var(--bx-edge)', borderRadius: 'var(--r1)', fontSize: 'var(--t2)', color: 'inherit' },
  '.cm-searchMatch': { backgroundColor: 'transparent', outline: '1px solid var(--warn)' },
  '.cm-searchMatch.cm-searchMatch-selected': { backgroundColor: 'var(--tint)' },
  '.cm-selectionMatch': { backgroundColor: 'var(--bx-grid)' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--tint)' },
  '.cm-tooltip': { backgroundColor: 'var(--bx-page)', color: 'var(--bx-ink)', border: '1px solid var(--bx-edge)', borderRadius: 'var(--r1)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', fontSize: 'var(--t2)', maxWidth: 'min(30rem, 92vw)' },
  '.cm-completionIcon': { color: 'var(--bx-soft)', opacity: '1' },
  '.cm-completionDetail': { color: 'var(--bx-soft)', fontStyle: 'normal', marginLeft: '1ch' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '700' },
  '.cm-tooltip.cm-completionInfo': { padding: '0', maxWidth: 'min(22rem, 80vw)' },
  '.cm-completionInfo:not(:has(.cm-doc))': { padding: 'var(--s2)', fontSize: 'var(--t2)' },
  '.cm-doc': { padding: 'var(--s2)', maxWidth: 'min(30rem, 88vw)', fontSize: 'var(--t2)', overflowWrap: 'anywhere' },
  '.cm-doc p': { margin: 'var(--s1) 0 0' },
  '.cm-form': { display: 'block', fontFamily: 'var(--mono)' },
  '.cm-form strong': { color: 'var(--accent)', textDecoration: 'underline' },
  '.cm-support': { color: 'var(--bx-soft)' },
  '.cm-support.known': { color: 'var(--warn)' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--tint)', color: 'var(--bx-ink)' },
});

const fromOutside = Annotation.define<boolean>();
const setMarks = StateEffect.define<readonly Mark[]>();

class Note extends WidgetType {
  constructor(
    readonly kind: string,
    readonly words: string,
  ) {
    super();
  }
  override eq(other: Note) {
    return other.kind === this.kind && other.words === this.words;
  }
  toDOM() {
    const note = document.createElement('span');
    note.className = `cm-note ${this.kind}`;
    note.textContent = this.words;
    return note;
  }
}

class LineNumber extends GutterMarker {
  override elementClass: string;
  constructor(kind: string) {
    super();
    this.elementClass = `cm-${kind}`;
  }
}
const GUTTERS = { failed: new LineNumber('failed'), waits: new LineNumber('waits'), shown: new LineNumber('shown') };

/** Lines that are marked move with the text around them. */
const marked = StateField.define<{ lines: DecorationSet; numbers: RangeSet<GutterMarker> }>({
  create: () => ({ lines: Decoration.none, numbers: RangeSet.empty }),
  update({ lines, numbers }, { changes, effects, state: { doc } }) {
    [lines, numbers] = [lines.map(changes), numbers.map(changes)];
    for (const effect of effects) {
      if (!effect.is(setMarks)) continue;
      const there = effect.value.filter(({ line }) => line >= 1 && line <= doc.lines);
      numbers = RangeSet.of(there.map(({ line, kind }) => GUTTERS[kind].range(doc.line(line).from)), true);
      const all = there.flatMap(({ line, kind, note }) => {
        const { from, to } = doc.line(line);
        const whole = Decoration.line({ class: `cm-${kind}`, attributes: { 'data-line': String(line) } }).range(from);
        return note ? [whole, Decoration.widget({ widget: new Note(kind, note), side: 1 }).range(to)] : [whole];
      });
      lines = Decoration.set(all, true);
    }
    return { lines, numbers };
  },
  provide: (field) => [EditorView.decorations.from(field, ({ lines }) => lines), gutterLineClass.from(field, ({ numbers }) => numbers)],
});

/** What can be done only where a text can be written in. */
const writes: Extension = [EditorView.contentAttributes.of({ tabindex: '0' }), history(), indentOnInput(), closeBrackets(), autocompletion(), keymap.of([...closeBracketsKeymap, ...historyKeymap, ...completionKeymap, { key: 'Tab', run: acceptCompletion }, indentWithTab])];
/** A text to be read has a cursor and is searched, but is no field that a phone shows its keyboard for. */
const reads: Extension = [EditorState.readOnly.of(true), EditorView.editable.of(false), EditorView.contentAttributes.of({ 'aria-readonly': 'true' })];

export class Editor {
  #view: EditorView;
  #mode = new Compartment();
  #own: OwnNames = { inputs: [], outputs: [], parameters: [] };

  constructor(parent: HTMLElement, label: string, onchange: (text: string) => void, language: Language = 'python') {
    const state = EditorState.create({
      extensions: [
        lineNumbers(),
        highlightSpecialChars(),
        drawSelection(),
        bracketMatching(),
        highlightSelectionMatches(),
        search({ top: true }),
        language === 'python' ? python() : MODES[language],
        indentUnit.of(language === 'yaml' ? '  ' : '    '),
        EditorState.tabSize.of(4),
        syntaxHighlighting(colours),
        lintGutter(),
        marked,
        language === 'python' ? [pythonLanguage.data.of({ autocomplete: completes(() => this.#own) }), docs(() => this.#own)] : [],
        this.#mode.of(reads),
        keymap.of([...searchKeymap, ...lintKeymap, ...defaultKeymap]),
        EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
        EditorView.updateListener.of(({ docChanged, transactions, state }) => {
          if (docChanged && !transactions.some((one) => one.annotation(fromOutside))) onchange(state.doc.toString());
        }),
        looks,
      ],
    });
    this.#view = new EditorView({ parent, state });
    if (language === 'python') void help.read();
  }

  /** What the box has: it is completed and told of. */
  of(own: OwnNames) {
    this.#own = own;
  }

  /** The text as it is now; the cursor stays where it can. Whoever undoes undoes only what was typed. */
  show(text: string) {
    const is = this.#view.state.doc.toString();
    if (is === text) return;
    // Only what differs, so that the cursor stays in its line.
    let [from, end] = [0, 0];
    const most = Math.min(is.length, text.length);
    while (from < most && is[from] === text[from]) from++;
    while (end < most - from && is.at(-1 - end) === text.at(-1 - end)) end++;
    this.#view.dispatch({ changes: { from, to: is.length - end, insert: text.slice(from, text.length - end) }, annotations: [fromOutside.of(true), Transaction.addToHistory.of(false)] });
  }

  editable(is: boolean) {
    this.#view.dispatch({ effects: this.#mode.reconfigure(is ? writes : reads) });
  }

  mark(marks: readonly Mark[]) {
    this.#view.dispatch({ effects: setMarks.of(marks) });
  }

  problems(problems: readonly Problem[]) {
    const { state } = this.#view;
    const there = problems.filter(({ line }) => line >= 1 && line <= state.doc.lines);
    const all = there.map(({ line, severity, message }) => ({ ...state.doc.line(line), severity, message }));
    this.#view.dispatch(setDiagnostics(state, all.map(({ from, to, severity, message }) => ({ from, to, severity, message }))));
  }

  /** Brings a line into sight, and the cursor to its beginning. */
  go(line: number) {
    const { doc } = this.#view.state;
    if (line < 1 || line > doc.lines) return;
    const { from } = doc.line(line);
    this.#view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) });
  }

  focus() {
    this.#view.focus();
  }

  close() {
    this.#view.destroy();
  }
}
