/** The objects that elements are made of: options, confirmations, filters, files. */

import type { JsonObject } from '../../lib/json.ts';
import { isJsonObject, objectsIn } from '../../lib/json.ts';
import { type BlockKitFault, boolean, exactlyOne, list, object, string, url } from './rules.ts';
import { plainText, textObject } from './text.ts';

const value = string({ min: 1, max: 150 });

/** An option of a select menu, which shows plain text only. */
export const optionObject = object({
  needs: { text: plainText(75), value },
  may: { description: plainText(75) },
});

/** An option of an overflow menu: it may also open an address. */
export const overflowOption = object({
  needs: { text: plainText(75), value },
  may: { description: plainText(75), url },
});

/** An option of checkboxes and radio buttons, which also show mrkdwn. */
export const choiceObject = object({
  needs: { text: textObject(75), value },
  may: { description: textObject(75) },
});

export const optionGroup = object({
  needs: { label: plainText(75), options: list(optionObject, { min: 1, max: 100 }) },
});

/** The dialog that asks before an element does its work. */
export const confirmObject = object({
  needs: { text: textObject(300) },
  may: {
    title: plainText(100),
    confirm: plainText(30),
    deny: plainText(30),
    style: string({ among: ['primary', 'danger'] }),
  },
});

/** When a text field tells the app of what is typed. */
export const dispatchActionConfig = object({
  may: {
    trigger_actions_on: list(string({ among: ['on_enter_pressed', 'on_character_entered'] }), {
      min: 1,
      max: 2,
    }),
  },
});

/** What a conversations select offers. */
export const conversationFilter = object({
  may: {
    include: list(string({ among: ['im', 'mpim', 'private', 'public'] }), { min: 1 }),
    exclude_external_shared_channels: boolean,
    exclude_bot_users: boolean,
  },
});

/** A file that lies in Slack already, named by its id or its address. */
export const slackFile = object({
  may: { id: string({ min: 1 }), url },
  also: [exactlyOne('id', 'url')],
});

/** All options of an element, whether in groups or not. */
export function optionsIn(element: JsonObject): JsonObject[] {
  return [element, ...objectsIn(element.option_groups)].flatMap((each) => objectsIn(each.options));
}

/** Whether two options are the same to Slack. */
export function sameOption(one: JsonObject, other: JsonObject): boolean {
  const label = (each: JsonObject) => (isJsonObject(each.text) ? each.text.text : undefined);
  return one.value === other.value && label(one) === label(other);
}

/** Slack refuses a preselected option that is not offered, and a list of preselected ones that is empty. */
export function initialIsOffered(name: 'initial_option' | 'initial_options') {
  return (element: JsonObject, pointer: string): BlockKitFault[] => {
    const initial = element[name];
    if (initial === undefined) {
      return [];
    }
    const chosen = objectsIn(Array.isArray(initial) ? initial : [initial]);
    const offered = optionsIn(element);
    const fine =
      chosen.length > 0 && chosen.every((each) => offered.some((other) => sameOption(each, other)));
    return fine ? [] : [{ message: 'must be one of the provided options', pointer: `${pointer}/${name}` }];
  };
}
