/** The composition objects of elements: options, confirmations, filters, files. */

import { isJsonObject, type JsonObject, objectsIn } from '../../lib/json.ts';
import {
  type BlockKitFault,
  boolean,
  exactlyOne,
  integer,
  list,
  object,
  oneOfTypes,
  plainText,
  type Shape,
  string,
  textObject,
  url,
} from './rules.ts';

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
const choiceObject = object({
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
const conversationFilter = object({
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
function initialIsOffered(name: 'initial_option' | 'initial_options') {
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

export const datePattern = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
export const timePattern = /^([01]\d|2[0-3]):[0-5]\d$/;

/** The properties of interactive elements. */
export const actionIdProperty = { action_id: string({ max: 255 }) };
export const focusProperties = { ...actionIdProperty, focus_on_load: boolean };

const picker = { ...focusProperties, confirm: confirmObject };
const menu = { ...picker, placeholder: plainText(150) };
const multiMenu = { ...menu, max_selected_items: integer({ min: 1 }) };
const id = string({ min: 1 });

const choices = { options: list(choiceObject, { min: 1, max: 10 }) };
const offer = {
  options: list(optionObject, { min: 1, max: 100 }),
  option_groups: list(optionGroup, { min: 1, max: 100 }),
};
const fromTheApp = { min_query_length: integer({ min: 0 }) };
const ofConversations = { default_to_current_conversation: boolean, filter: conversationFilter };

/** Lets the app answer a submission in the chosen conversation. Only in an input block of a modal. */
export const responseUrlProperty = { response_url_enabled: boolean };

export const channelMenus = {
  channels_select: { may: { ...menu, initial_channel: id } },
  conversations_select: { may: { ...menu, initial_conversation: id, ...ofConversations } },
};

export const menus = {
  ...channelMenus,
  multi_channels_select: { may: { ...multiMenu, initial_channels: list(id) } },
  multi_conversations_select: { may: { ...multiMenu, initial_conversations: list(id), ...ofConversations } },
  users_select: { may: { ...menu, initial_user: id } },
  multi_users_select: { may: { ...multiMenu, initial_users: list(id) } },

  static_select: {
    may: { ...menu, ...offer, initial_option: optionObject },
    also: [exactlyOne('options', 'option_groups'), initialIsOffered('initial_option')],
  },
  multi_static_select: {
    may: { ...multiMenu, ...offer, initial_options: list(optionObject) },
    also: [exactlyOne('options', 'option_groups'), initialIsOffered('initial_options')],
  },
  external_select: { may: { ...menu, ...fromTheApp, initial_option: optionObject } },
  multi_external_select: { may: { ...multiMenu, ...fromTheApp, initial_options: list(optionObject) } },
} satisfies Record<string, Shape>;

export const choosers = {
  checkboxes: {
    needs: choices,
    may: { ...picker, initial_options: list(choiceObject) },
    also: [initialIsOffered('initial_options')],
  },
  radio_buttons: {
    needs: choices,
    may: { ...picker, initial_option: choiceObject },
    also: [initialIsOffered('initial_option')],
  },
  datepicker: {
    may: { ...menu, initial_date: string({ pattern: datePattern }) },
  },
  timepicker: {
    may: {
      ...menu,
      initial_time: string({ pattern: timePattern }),
      timezone: string({ min: 1 }),
    },
  },
} satisfies Record<string, Shape>;

/** Its time is in Unix seconds of ten digits. */
export const datetimepicker: Shape = {
  may: { ...picker, initial_date_time: integer({ min: 1_000_000_000, max: 9_999_999_999 }) },
};

const style = object({
  may: { bold: boolean, italic: boolean, strike: boolean, code: boolean, underline: boolean },
});

const textAndLink: { text: Shape; link: Shape } = {
  text: { needs: { text: string({ min: 1 }) }, may: { style } },
  link: { needs: { url }, may: { text: string(), style, unsafe: boolean } },
};

const inline: Record<string, Shape> = {
  ...textAndLink,
  broadcast: { needs: { range: string({ oneOf: ['here', 'channel', 'everyone'] }) }, may: { style } },
  channel: { needs: { channel_id: id }, may: { style } },
  color: { needs: { value: string() }, may: { style } },
  date: {
    needs: { timestamp: integer(), format: string({ min: 1 }) },
    may: { url, fallback: string(), style },
  },
  emoji: {
    needs: { name: string({ min: 1 }) },
    may: { unicode: string(), url, skin_tone: integer(), style },
  },
  team: { needs: { team_id: id }, may: { style } },
  user: { needs: { user_id: id }, may: { style } },
  usergroup: { needs: { usergroup_id: id }, may: { style } },
};

const border = integer({ min: 0, max: 1 });
const section: Shape = { needs: { elements: list(oneOfTypes(inline)) } };

export const richText: Shape = {
  needs: {
    elements: list(
      oneOfTypes({
        rich_text_section: section,
        rich_text_list: {
          needs: {
            elements: list(oneOfTypes({ rich_text_section: section })),
            style: string({ oneOf: ['bullet', 'ordered'] }),
          },
          may: { indent: integer({ min: 0, max: 8 }), offset: integer({ min: 0 }), border },
        },
        rich_text_quote: { needs: { elements: list(oneOfTypes(inline)) }, may: { border } },
        rich_text_preformatted: { needs: { elements: list(oneOfTypes(textAndLink)) }, may: { border } },
      }),
    ),
  },
};
