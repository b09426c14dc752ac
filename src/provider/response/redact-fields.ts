import { Secret } from '../../lib/secret.ts';

/**
 * Makes these fields `Secret`s wherever they stand in an answer, so that what is in them is in the clear nowhere: in
 * its `raw` neither. Everything else stays as it came.
 */
export function redactFields(answer: unknown, fields: ReadonlySet<string>): unknown {
  if (Array.isArray(answer)) {
    return answer.map((part: unknown) => redactFields(part, fields));
  }
  if (typeof answer !== 'object' || answer === null) {
    return answer;
  }
  const veiled = Object.entries(answer).map(([name, value]: [string, unknown]) =>
    fields.has(name) && isText(value)
      ? [name, new Secret(String(value))]
      : [name, redactFields(value, fields)],
  );
  return Object.fromEntries(veiled);
}

function isText(value: unknown): boolean {
  return (typeof value === 'string' && value !== '') || typeof value === 'number';
}
