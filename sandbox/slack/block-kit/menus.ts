/** Selects, pickers, checkboxes and radio buttons. Limits: Slack's reference of block elements. */

import {
  choiceObject,
  confirmObject,
  conversationFilter,
  initialIsOffered,
  optionGroup,
  optionObject,
} from './composition.ts';
import { boolean, exactlyOne, integer, list, type Shape, string } from './rules.ts';
import { plainText } from './text.ts';

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
