/**
 * The checks of Slack's server: views, messages and answers to an options request. The messages are those observed in
 * Slack's public schema checker and reported from the live API, except where a comment says otherwise.
 */

import { isJsonObject, type JsonObject, objectsIn } from '../../lib/json.ts';
import { blocksOf, type Surface } from './blocks.ts';
import { optionGroup, optionObject } from './composition.ts';
import {
  type BlockKitFault,
  boolean,
  characterCount,
  elementsOf,
  exactlyOne,
  formatFault,
  isEmpty,
  knownCommands,
  list,
  object,
  oneOfTypes,
  type Placed,
  plainText,
  type Rule,
  type Shape,
  string,
  textLength,
} from './rules.ts';

const blocks: Record<Surface, Rule> = {
  modal: blocksOf('modal'),
  home: blocksOf('home'),
  message: blocksOf('message'),
};

const viewProperties = {
  private_metadata: string({ max: 3000 }),
  callback_id: string({ max: 255 }),
  external_id: string({ max: 255 }),
};

const views = {
  modal: {
    needs: { title: plainText(24), blocks: blocks.modal },
    may: {
      ...viewProperties,
      submit: plainText(24),
      close: plainText(24),
      clear_on_close: boolean,
      notify_on_close: boolean,
    },
    also: [modalHoldsTogether],
  },
  home: { needs: { blocks: blocks.home }, may: viewProperties, also: [viewHoldsTogether] },
} satisfies Record<string, Shape>;
const view = oneOfTypes(views);
const viewOfNoType = object({ ...views.modal, needs: { ...views.modal.needs, type: string() } });

/**
 * Returns the faults of a view, as the `response_metadata.messages` of `invalid_arguments`. Empty for a valid view.
 * Slack: views.open, views.update, views.push, views.publish.
 */
export function validateView(value: unknown): string[] {
  const rule = isJsonObject(value) && value.type === undefined ? viewOfNoType : view;
  return rule(value, '/view').map(formatFault);
}

/** The `error` of Slack's answer to a wrong message, and its `response_metadata.messages`. */
interface MessageError {
  error: string;
  messages: string[];
}

/**
 * Returns the error of a message, or undefined for a valid one. Slack: chat.postMessage, chat.update,
 * chat.postEphemeral, response_url.
 *
 * @param unknownBlocks types of blocks that have not reached this workspace yet
 */
export function checkMessage(
  message: { text?: unknown; blocks?: unknown; attachments?: unknown },
  unknownBlocks: ReadonlySet<string> = new Set(),
): MessageError | undefined {
  const { text, blocks, attachments } = message;
  if ([text, blocks, attachments].every(isEmpty)) {
    return messageError('no_text');
  }
  return (
    checkText(text) ??
    checkKnown(blocks, unknownBlocks) ??
    checkBlocks(blocks) ??
    checkAttachments(attachments)
  );
}

/** Returns the faults of an answer to an options request: `{options}` or `{option_groups}`. */
export function checkOptionsAnswer(answer: unknown): string[] {
  return optionsAnswer(answer, '').map(formatFault);
}

const optionsAnswer = object({
  may: { options: list(optionObject, { max: 100 }), option_groups: list(optionGroup, { max: 100 }) },
  also: [exactlyOne('options', 'option_groups')],
});

function viewHoldsTogether(view: JsonObject, pointer: string): BlockKitFault[] {
  const blocks = objectsIn(view.blocks);
  return [...idsAreUnique(blocks, `${pointer}/blocks`), ...focusIsOnOne(blocks, `${pointer}/blocks`)];
}

function modalHoldsTogether(view: JsonObject, pointer: string): BlockKitFault[] {
  const inputs =
    view.submit === undefined ? inputsWithoutSubmit(objectsIn(view.blocks), `${pointer}/blocks`) : [];
  return [...inputs, ...viewHoldsTogether(view, pointer)];
}

function checkText(text: unknown): MessageError | undefined {
  if (isEmpty(text)) {
    return undefined;
  }
  if (typeof text !== 'string' || !knownCommands.test(text)) {
    return messageError('invalid_arguments', string({ pattern: knownCommands })(text, '/text'));
  }
  return textIsTooLong(text) ? messageError('msg_too_long') : undefined;
}

function checkKnown(sent: unknown, unknownBlocks: ReadonlySet<string>): MessageError | undefined {
  const faults = objectsIn(sent).flatMap(({ type }, index) =>
    typeof type === 'string' && unknownBlocks.has(type)
      ? [{ message: `unsupported type: ${type}`, pointer: `/blocks/${index}/type` }]
      : [],
  );
  return faults.length === 0 ? undefined : messageError('invalid_blocks', faults);
}

function checkBlocks(sent: unknown): MessageError | undefined {
  if (isEmpty(sent)) {
    return undefined;
  }
  if (!Array.isArray(sent)) {
    return messageError('invalid_blocks_format');
  }
  const faults = blocksCrossChecks(sent, '/blocks');
  if (faults.length > 0) {
    return messageError('invalid_blocks', faults);
  }

  const checked = objectsIn(sent);
  if (checked.filter((block) => block.type === 'table').length > 1) {
    return messageError('invalid_attachments', [{ message: 'only_one_table_allowed', pointer: '/blocks' }]);
  }
  if (checked.filter((block) => block.type === 'data_visualization').length > 2) {
    // The message is the sandbox's own.
    return messageError('invalid_blocks', [{ message: 'only_two_charts_allowed', pointer: '/blocks' }]);
  }
  return blocksAreTooLong(checked) ? messageError('msg_blocks_too_long') : undefined;
}

function checkAttachments(sent: unknown): MessageError | undefined {
  if (isEmpty(sent)) {
    return undefined;
  }
  if (Array.isArray(sent) && sent.length > 100) {
    return messageError('too_many_attachments');
  }
  const faults = list(attachment)(sent, '/attachments');
  return faults.length > 0 ? messageError('invalid_attachments', faults) : undefined;
}

/** Checks only the blocks of an attachment: its other properties are legacy and unrestricted. */
function attachment(value: unknown, pointer: string): BlockKitFault[] {
  if (!isJsonObject(value)) {
    return [{ message: 'must provide an object', pointer }];
  }
  return value.blocks === undefined ? [] : blocksCrossChecks(value.blocks, `${pointer}/blocks`);
}

function blocksCrossChecks(sent: unknown, pointer: string): BlockKitFault[] {
  const faults = blocks.message(sent, pointer);
  return faults.length > 0 ? faults : idsAreUnique(objectsIn(sent), pointer);
}

function messageError(error: string, faults: BlockKitFault[] = []): MessageError {
  return { error, messages: faults.map(formatFault) };
}

/** A `block_id` is unique in its surface, an `action_id` in its block. */
function idsAreUnique(blocks: JsonObject[], pointer: string): BlockKitFault[] {
  const placed = blocks.map((element, index) => ({ element, pointer: `${pointer}/${index}` }));
  return [
    ...repeated('block_id', placed),
    ...placed.flatMap(({ element, pointer }) => repeated('action_id', elementsOf(element, pointer))),
  ];
}

/** Reports the input blocks of a modal without `submit`. */
function inputsWithoutSubmit(blocks: JsonObject[], pointer: string): BlockKitFault[] {
  return blocks.flatMap((block, index) =>
    block.type === 'input'
      ? [{ message: 'must define `submit` to use `input` block', pointer: `${pointer}/${index}/input` }]
      : [],
  );
}

/** Only one element of a view can have the focus. The message is the sandbox's own: Slack's is not known. */
function focusIsOnOne(blocks: JsonObject[], pointer: string): BlockKitFault[] {
  return blocks
    .flatMap((block, index) => elementsOf(block, `${pointer}/${index}`))
    .filter(({ element }) => element.focus_on_load === true)
    .slice(1)
    .map(({ pointer }) => ({
      message: 'only one element can set `focus_on_load` to true',
      pointer: `${pointer}/focus_on_load`,
    }));
}

function repeated(name: 'block_id' | 'action_id', placed: Placed[]): BlockKitFault[] {
  const seen = new Set<unknown>();
  return placed.flatMap(({ element, pointer }) => {
    const id = element[name];
    // An empty id counts as none: Slack generates one.
    if (id === undefined || id === '') {
      return [];
    }
    if (!seen.has(id)) {
      seen.add(id);
      return [];
    }
    return [{ message: `\`${name}\` "${id}" already exists`, pointer: `${pointer}/${name}` }];
  });
}

/** Whether Slack refuses a message as `msg_too_long` for its plain text. */
function textIsTooLong(text: string): boolean {
  return characterCount(text) > 40_000;
}

/**
 * Whether Slack refuses a message as `msg_blocks_too_long`. Slack does not document the limit over all blocks. Its
 * staff state 12,000 characters (bolt-js issue 2509).
 */
function blocksAreTooLong(blocks: JsonObject[]): boolean {
  return textLength(blocks) > 12_000;
}

/** Whether Slack refuses a view as `view_too_large`: above 250 kB as JSON. */
export function viewIsTooLarge(view: unknown): boolean {
  return new TextEncoder().encode(JSON.stringify(view)).length > 250_000;
}
