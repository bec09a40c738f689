// What scripts can use: the server's tables, and what the box itself has.

import { backend } from '../backend';

/** What a text among the arguments names. */
export type Names = 'parameter' | 'port' | 'service' | 'key';

export type Member = {
  name: string;
  /** How it is called; nothing of an attribute. */
  forms: string[];
  doc: string;
  /** The kind of its result. */
  gives?: string;
  names?: Names;
  /** What the simulated robot does, and where the types are from. */
  support?: 'simulated' | 'accepted' | 'known';
  source?: string;
};
type Told = Omit<Member, 'forms'> & { forms?: string[]; form?: string };
export type Kind = { doc: string; service: boolean; members: Member[] };

/** What a box has, as its file says. */
export type OwnNames = {
  inputs: { name: string; type: string; tooltip: string }[];
  outputs: { name: string; type: string; tooltip: string }[];
  parameters: { name: string; type: string; tooltip: string }[];
};

class Help {
  keys: string[] = [];
  private kinds = new Map<string, Kind>();
  private asked: Promise<void> | undefined;

  /** Asks the server once; without an answer there is only what the box has. */
  read(): Promise<void> {
    this.asked ??= this.fetched().catch(() => undefined);
    return this.asked;
  }

  private async fetched(): Promise<void> {
    const answer = await backend.fetch('/script-help');
    if (!answer.ok) return;
    const { kinds, keys } = (await answer.json()) as { kinds: Record<string, { doc?: string; service?: boolean; like?: string[]; members: Told[] }>; keys: string[] };
    this.keys = keys;
    const member = ({ form, forms, ...told }: Told): Member => ({ ...told, forms: forms ?? (form === undefined ? [] : [form]) });
    for (const [name, { doc = '', service = false, like = [], members }] of Object.entries(kinds)) {
      const all = new Map<string, Member>();
      // Its own come first.
      for (const told of [members, ...like.map((one) => kinds[one]?.members ?? [])].flat()) if (!all.has(told.name)) all.set(told.name, member(told));
      this.kinds.set(name, { doc, service, members: [...all.values()] });
    }
  }

  kind(name: string): Kind | undefined {
    return this.kinds.get(name);
  }

  members(kind: string): Member[] {
    return this.kinds.get(kind)?.members ?? [];
  }

  member(kind: string, name: string): Member | undefined {
    return this.members(kind).find((one) => one.name === name);
  }

  services(): [string, Kind][] {
    return [...this.kinds].filter(([, { service }]) => service);
  }
}

export const help = new Help();

/** The outputs of a box as its methods. */
export const outputs = ({ outputs }: OwnNames): Member[] =>
  outputs.map(({ name, type, tooltip }) => ({ name, forms: [type === 'bang' ? '()' : '(value)'], doc: `Output (${type})${tooltip ? `: ${tooltip}` : ''}` }));

/** The methods that the box's inputs call. */
export const handlers = ({ inputs }: OwnNames): Member[] =>
  inputs.map(({ name, type, tooltip }) => ({ name: `onInput_${name}`, forms: [type === 'bang' ? '()' : '(p)'], doc: `Called by the input ${name} (${type})${tooltip ? `: ${tooltip}` : ''}` }));

export const SUPPORT: Record<NonNullable<Member['support']>, string> = {
  simulated: 'simulated',
  accepted: 'accepted in simulation, without effect',
  known: 'on robots only: the simulated robot refuses it',
};
