// Parameters: which field fits a type, and what is typed there as a value.

import type { Parameter } from './model';

export type Field = 'switch' | 'slider' | 'number' | 'choice' | 'file' | 'lines' | 'line';

const isNumber = ({ type }: Parameter) => type === 'int' || type === 'float';

export function fieldOf(parameter: Parameter): Field {
  const { type, min, max, choices, custom_choice, password, value } = parameter;
  if (type === 'bool') return 'switch';
  if (type === 'file') return 'file';
  if (choices.length) return custom_choice ? 'line' : 'choice';
  if (isNumber(parameter)) return min !== null && max !== null && max > min && max - min <= 1e4 ? 'slider' : 'number';
  return !password && (value ?? '').length > 30 ? 'lines' : 'line';
}

/** What a text is as a value of the parameter's type; nothing if it is none. */
export function valueOf(parameter: Parameter, text: string): unknown {
  if (parameter.type === 'bool') return text === '1' || text === 'true';
  if (!isNumber(parameter)) return text;
  const number = Number(text);
  if (!text.trim() || !Number.isFinite(number)) return undefined;
  return parameter.type === 'int' ? Math.round(number) : number;
}

/** A value as a text of a field. */
export const saidBy = (value: unknown): string => (typeof value === 'string' ? value : value === null || value === undefined ? '' : JSON.stringify(value));
