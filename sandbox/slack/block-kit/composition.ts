/** The composition objects of elements: options, confirmations, filters, files. */

import type { JsonObject } from '../../lib/json.ts';
import { isJsonObject, objectsIn } from '../../lib/json.ts';
import { type BlockKitFault, boolean, exactlyOne, list, object, string, url } from './rules.ts';
import { plainText, textObject } from './text.ts';

const value = string({ min: 1, max: 150 });

/** An option of a select menu: plain text only. */
export const optionObject = object({
  needs: { text: plainText(75), value },
  may: { description: plainText(75) },
});

/** An option of an overflow menu, which may have a URL. */
export const overflowOption = object({
  needs: { text: plainText(75), value },
  may: { description: plainText(75), url },
});

/** An option of checkboxes and radio buttons, which may be mrkdwn. */
export const choiceObject = object({
  needs: { text: textObject(75), value },
  may: { description: textObject(75) },
});

export const optionGroup = object({
  needs: { label: plainText(75), options: list(optionObject, { min: 1, max: 100 }) },
});

/** The confirmation dialog of an element. */
export const confirmObject = object({
  needs: { text: textObject(300) },
  may: {
    title: plainText(100),
    confirm: plainText(30),
    deny: plainText(30),
    style: string({ oneOf: ['primary', 'danger'] }),
  },
});

/** When a text input dispatches. */
export const dispatchActionConfig = object({
  may: {
    trigger_actions_on: list(string({ oneOf: ['on_enter_pressed', 'on_character_entered'] }), {
      min: 1,
      max: 2,
    }),
  },
});

/** The conversations that a select offers. */
export const conversationFilter = object({
  may: {
    include: list(string({ oneOf: ['im', 'mpim', 'private', 'public'] }), { min: 1 }),
    exclude_external_shared_channels: boolean,
    exclude_bot_users: boolean,
  },
});

/** A file in Slack, by id or URL. */
export const slackFile = object({
  may: { id: string({ min: 1 }), url },
  also: [exactlyOne('id', 'url')],
});

/** Returns the options of an element, grouped or not. */
export function optionsIn(element: JsonObject): JsonObject[] {
  return [element, ...objectsIn(element.option_groups)].flatMap((each) => objectsIn(each.options));
}

/** Whether Slack treats two options as the same. */
export function sameOption(one: JsonObject, other: JsonObject): boolean {
  const label = (each: JsonObject) => (isJsonObject(each.text) ? each.text.text : undefined);
  return one.value === other.value && label(one) === label(other);
}

/** Slack refuses an initial option that is not offered, and an empty list of initial options. */
export function initialIsOffered(name: 'initial_option' | 'initial_options') {
  return (element: JsonObject, pointer: string): BlockKitFault[] => {
    const initial = element[name];
    if (initial === undefined) {
      return [];
    }
    const chosen = objectsIn(Array.isArray(initial) ? initial : [initial]);
    const offered = optionsIn(element);
    const valid =
      chosen.length > 0 && chosen.every((each) => offered.some((other) => sameOption(each, other)));
    return valid ? [] : [{ message: 'must be one of the provided options', pointer: `${pointer}/${name}` }];
  };
}
