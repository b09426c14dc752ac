/** The checks Slack's server makes of a view before it opens, updates or pushes it. Empty: Slack takes it. */
export function checkView(view: unknown): string[] {
  return isObject(view) ? [] : ['[ERROR] must provide an object [json-pointer:/view]'];
}

/** The checks Slack's server makes of a message: its `error` and `response_metadata.messages`. */
export function checkMessage(message: {
  text?: unknown;
  blocks?: unknown;
  attachments?: unknown;
}): { error: string; messages: string[] } | undefined {
  const empty = [message.text, message.blocks, message.attachments].every((part) => !part);
  return empty ? { error: 'no_text', messages: [] } : undefined;
}

/** The checks of an answer to an options request (`block_suggestion`): `{options}` or `{option_groups}`. */
export function checkOptionsAnswer(answer: unknown): string[] {
  return isObject(answer) ? [] : ['must provide an object'];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
