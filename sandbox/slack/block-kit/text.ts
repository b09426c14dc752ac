/** Text objects. Limits: Slack's reference of composition objects. */

import { boolean, object, oneOfTypes, type Rule, string } from './rules.ts';

/** `emoji` belongs to plain text and `verbatim` to mrkdwn. Slack refuses each in the other. */
export function textKinds(max: number) {
  const needs = { text: string({ min: 1, max }) };
  return {
    plain_text: { needs, may: { emoji: boolean } },
    mrkdwn: { needs, may: { verbatim: boolean } },
  };
}

/** Plain text or mrkdwn, of up to `max` characters. */
export function textObject(max: number): Rule {
  return oneOfTypes(textKinds(max));
}

/** Plain text only, for titles, labels, buttons and others that Slack does not format. */
export function plainText(max: number): Rule {
  const { needs, may } = textKinds(max).plain_text;
  return object({ needs: { type: string({ oneOf: ['plain_text'] }), ...needs }, may });
}
