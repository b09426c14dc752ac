import { type JsonObject, toJson } from '../../../sandbox/lib/json.ts';
import type {
  OpenView,
  SandboxMessage,
  UserAction,
  UserActionResult,
} from '../../../sandbox/slack/protocol.ts';
import type { SlackView } from '../app/test-workspace.ts';

/** A user of the sandbox's Slack, who acts by what is visible: labels, buttons, text. */
export interface SlackUser {
  id: string;
  /** The workspace, of a user of several. */
  team?: string | undefined;
  /** Types a command, by default in the first channel of the workspace. */
  types(command: string, text?: string, channel?: string): Promise<UserActionResult>;
  /**
   * Fills in a field by its label, once it is shown; for a select, radio buttons or checkboxes by the option's text, for a
   * select of people or conversations by the id. A field of several values takes a list of them.
   */
  fills(label: string, value: string | readonly string[]): Promise<UserActionResult>;
  /** Writes a message, or a reply in a thread. */
  says(text: string, threadTs?: string): Promise<SandboxMessage>;
  /** Picks a message shortcut by its name. */
  uses(shortcut: string, message: SandboxMessage): Promise<UserActionResult>;
  /** Drops a file into a field by its label. `described`: how Slack's description of it differs from that of a usual file. */
  drops(
    label: string,
    name: string,
    content: string | Uint8Array,
    described?: (file: JsonObject) => JsonObject,
  ): Promise<UserActionResult>;
  /** Types in a searchable select. Returns the offered texts. */
  searches(label: string, query: string): Promise<string[]>;
  /** Chooses in a select or a date picker beside buttons, by its placeholder: an option's text, a date, a user's id. */
  chooses(placeholder: string, value: string): Promise<UserActionResult>;
  /** Presses a button by its text or its label, or chooses an option of a menu by its text, once it is shown. */
  presses(text: string): Promise<UserActionResult>;
  submits(): Promise<UserActionResult>;
  closes(): Promise<UserActionResult>;
  /** The top modal. */
  modal(): OpenView | undefined;
  /** Waits for a modal with this title and text. */
  seesModal(title: string | RegExp, words?: string | RegExp): Promise<OpenView>;
  /** Waits for this text in the top modal or beside one of its fields. */
  seesTrouble(words: string | RegExp): Promise<OpenView>;
  /** Waits for a message with this text in any visible channel. Returns it. */
  sees(words: string | RegExp): Promise<SandboxMessage>;
  /** Opens the app's Home and waits for this text. */
  seesHome(words: string | RegExp): Promise<string>;
  /** The visible messages, newest last. */
  messages(): SandboxMessage[];
  /** The error beside a field of the top modal, by the field's label. */
  errorBeside(label: string): string | undefined;
}

export const support = 'C0SUPPORT';
export const campaigns = 'C0CAMPAIGNS';
export const oldNews = 'C0OLD';

export function slackUserAt(
  slack: SlackView,
  id: string,
  options: {
    /** Milliseconds to wait for what is expected. Default: 60,000. */
    patience?: number;
    /** The workspace, for a user of several. Default: their first one. */
    team?: string;
  } = {},
): SlackUser {
  const { patience, team } = options;
  const until = <T>(look: () => T | undefined | null | false, what: string | (() => string)) =>
    slack.until(look, what, patience);
  const snapshot = () => slack.snapshot(id, team);
  const perform = (action: UserAction) => slack.perform(team === undefined ? action : { ...action, team });
  const firstChannel = () => snapshot().channels.find(({ kind }) => kind !== 'dm')?.id ?? support;
  const modal = () => slack.topModal(id, team);

  function fieldNow(label: string) {
    const view = modal();
    const block = view && blocksOf(view.view).find((candidate) => textIn(candidate.label) === label);
    const element = object(block?.element);
    return (
      view &&
      block && { view, blockId: string(block.block_id), actionId: string(element.action_id), block, element }
    );
  }

  const field = (label: string) => until(() => fieldNow(label), `a field “${label}”`);

  /** Finds an element in the top modal or the Home, else in the newest message that has it. */
  function elementNow(isWanted: (element: JsonObject) => boolean) {
    const { modals, home, messages } = snapshot();
    for (const view of [modals.at(-1), home]) {
      const inView = view && elementIn(blocksOf(view.view), isWanted);
      if (view && inView) {
        return { ...inView, container: { type: 'view' as const, viewId: view.id } };
      }
    }
    for (const message of messages.toReversed()) {
      const inMessage = elementIn(message.blocks, isWanted);
      if (inMessage !== undefined) {
        const { channel, ts } = message;
        return { ...inMessage, container: { type: 'message' as const, channel, ts } };
      }
    }
    return undefined;
  }

  async function optionNamed(label: string, name: string): Promise<JsonObject> {
    const { element } = await field(label);
    const options =
      element.type === 'external_select' || element.type === 'multi_external_select'
        ? await offered(label, name)
        : objects(element.options);
    return required(
      options.find((option) => textIn(option.text) === name),
      `an option “${name}” of “${label}”`,
    );
  }

  async function offered(label: string, query: string): Promise<JsonObject[]> {
    const { view, blockId, actionId } = await field(label);
    const container = { type: 'view' as const, viewId: view.id };
    const { answer, trouble } = await perform({
      do: 'options',
      person: id,
      container,
      blockId,
      actionId,
      query,
    });
    if (trouble !== undefined) {
      throw new Error(trouble);
    }
    const { options, option_groups } = object(answer);
    return [...objects(options), ...objects(option_groups).flatMap((group) => objects(group.options))];
  }

  async function stateOf(label: string, values: readonly string[]): Promise<JsonObject> {
    const type = string((await field(label)).element.type);
    const [value = ''] = values;
    switch (type) {
      case 'radio_buttons':
      case 'static_select':
      case 'external_select':
        return { type, selected_option: await optionNamed(label, value) };
      case 'checkboxes':
      case 'multi_static_select':
      case 'multi_external_select':
        return {
          type,
          selected_options: await Promise.all(values.map((each) => optionNamed(label, each))),
        };
      case 'conversations_select':
        return { type, selected_conversation: value };
      case 'multi_conversations_select':
        return { type, selected_conversations: [...values] };
      case 'channels_select':
        return { type, selected_channel: value };
      case 'multi_channels_select':
        return { type, selected_channels: [...values] };
      case 'users_select':
        return { type, selected_user: value };
      case 'multi_users_select':
        return { type, selected_users: [...values] };
      case 'datepicker':
        return { type, selected_date: value };
      case 'timepicker':
        return { type, selected_time: value };
      default:
        return { type, value };
    }
  }

  async function fillIn(label: string, state: JsonObject): Promise<UserActionResult> {
    const { view, blockId, actionId, block } = await field(label);
    return block.dispatch_action === true
      ? perform({
          do: 'action',
          person: id,
          container: { type: 'view', viewId: view.id },
          blockId,
          actionId,
          state,
        })
      : perform({ do: 'fill', person: id, viewId: view.id, blockId, actionId, state });
  }

  return {
    id,
    team,
    modal,
    types: (command, text = '', channel = firstChannel()) =>
      perform({ do: 'command', person: id, channel, command, text }),

    fills: async (label, value) =>
      fillIn(label, await stateOf(label, typeof value === 'string' ? [value] : value)),

    async says(text, threadTs) {
      const thread = threadTs === undefined ? {} : { threadTs };
      await perform({ do: 'message', person: id, channel: firstChannel(), text, ...thread });
      return required(snapshot().messages.at(-1), 'a message');
    },

    async uses(shortcut, { channel, ts }) {
      const known = snapshot().shortcuts.find(({ name }) => name === shortcut);
      const { callbackId } = required(known, `a shortcut “${shortcut}”`);
      return perform({ do: 'shortcut', person: id, callbackId, message: { channel, ts } });
    },

    async drops(label, name, content, described = (file) => file) {
      const target = `${slack.url}/sandbox/files?${new URLSearchParams({ person: id, name, ...(team !== undefined && { team }) })}`;
      const answer = await fetch(target, { method: 'POST', body: Buffer.from(content) });
      return fillIn(label, { type: 'file_input', files: [described(object(toJson(await answer.json())))] });
    },

    searches: async (label, query) => (await offered(label, query)).map((option) => textIn(option.text)),

    async presses(text) {
      const isButton = (element: JsonObject) =>
        element.type === 'button' && [textIn(element.text), element.accessibility_label].includes(text);
      const optionOf = (element: JsonObject) =>
        objects(element.type === 'overflow' && element.options).find(
          (option) => textIn(option.text) === text,
        );
      const { element, ...place } = await until(
        () => elementNow((candidate) => isButton(candidate) || optionOf(candidate) !== undefined),
        `a button “${text}”`,
      );
      const option = optionOf(element);
      const state = option && { state: { type: 'overflow', selected_option: option } };
      return perform({ do: 'action', person: id, ...place, ...state });
    },

    async chooses(placeholder, value) {
      const isWanted = (element: JsonObject) => textIn(element.placeholder) === placeholder;
      const { element, ...place } = await until(() => elementNow(isWanted), `a choice “${placeholder}”`);
      return perform({ do: 'action', person: id, ...place, state: choiceOf(element, value) });
    },

    submits: () => perform({ do: 'submit', person: id, viewId: required(modal(), 'an open modal').id }),
    closes: () => perform({ do: 'close', person: id, viewId: required(modal(), 'an open modal').id }),

    seesModal: (title, words = '') =>
      until(
        () => {
          const view = modal();
          return view && isTitled(textIn(view.view.title), title) && says(wordsOf(view.view), words)
            ? view
            : undefined;
        },
        () => `a modal “${title}” that says ${words} (now: ${JSON.stringify(modal()?.view)})`,
      ),

    seesTrouble: (words) =>
      slack.until(() => {
        const view = modal();
        const said = view && [wordsOf(view.view), ...Object.values(view.errors)].join('\n');
        return said !== undefined && says(said, words) ? view : undefined;
      }, `a modal that says ${words}`),

    sees: (words) =>
      until(
        () => snapshot().messages.findLast((message) => says(wordsOf(message), words)),
        () =>
          `a message that says ${words} (the last: ${snapshot().messages.slice(-2).map(wordsOf).join('; ')})`,
      ),

    async seesHome(words) {
      await perform({ do: 'home', person: id });
      return until(
        () => {
          const shown = wordsOf(snapshot().home?.view);
          return says(shown, words) && shown;
        },
        () => `a Home that says ${words} (now: ${wordsOf(snapshot().home?.view)})`,
      );
    },

    messages: () => snapshot().messages,
    errorBeside: (label) => modal()?.errors[fieldNow(label)?.blockId ?? ''],
  };
}

/** Every text of a view or a message, in reading order. A non-breaking space becomes a space. */
export function wordsOf(content: unknown): string {
  if (typeof content === 'string') {
    return content.replaceAll('\u00A0', ' ');
  }
  if (Array.isArray(content)) {
    return content.map(wordsOf).join('\n');
  }
  if (typeof content === 'object' && content !== null) {
    return Object.entries(content)
      .filter(([key]) => readable.has(key))
      .map(([, value]) => wordsOf(value))
      .join('\n');
  }
  return '';
}

const readable = new Set([
  'title',
  'text',
  'blocks',
  'elements',
  'fields',
  'element',
  'label',
  'hint',
  'placeholder',
  'submit',
  'close',
  'options',
  'description',
  'accessory',
  'initial_value',
  'initial_option',
  'caption',
  'rows',
  'user_id',
]);

function isTitled(title: string, wanted: string | RegExp): boolean {
  return typeof wanted === 'string' ? title === wanted : wanted.test(title);
}

function says(text: string, words: string | RegExp): boolean {
  return typeof words === 'string' ? text.includes(words) : words.test(text);
}

function elementIn(blocks: JsonObject[], isWanted: (element: JsonObject) => boolean) {
  for (const block of blocks) {
    const elements = [...objects(block.elements), ...(block.accessory ? [object(block.accessory)] : [])];
    const element = elements.find(isWanted);
    if (element !== undefined) {
      return { blockId: string(block.block_id), actionId: string(element.action_id), element };
    }
  }
  return undefined;
}

/** The state of a select or a date picker in which the value is chosen; an option by a part of its text. */
function choiceOf(element: JsonObject, value: string): JsonObject {
  const type = string(element.type);
  switch (type) {
    case 'users_select':
      return { type, selected_user: value };
    case 'datepicker':
      return { type, selected_date: value };
    default: {
      const option = objects(element.options).find(({ text }) => textIn(text).includes(value));
      return { type, selected_option: required(option, `an option “${value}”`) };
    }
  }
}

function blocksOf(view: JsonObject): JsonObject[] {
  return objects(view.blocks);
}

function textIn(text: unknown): string {
  return typeof text === 'object' && text !== null && 'text' in text && typeof text.text === 'string'
    ? text.text
    : '';
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function object(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

function objects(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function string(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function required<T>(value: T | undefined, what: string): T {
  if (value === undefined) {
    throw new Error(`There is not ${what}.`);
  }
  return value;
}
