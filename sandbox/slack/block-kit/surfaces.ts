/**
 * The checks that Slack's server makes of what an app sends: views, messages, answers to an options request.
 * The words are Slack's where they were seen (its public schema checker, and errors reported of the live API);
 * the few that are ours say so where they stand.
 */

import type { JsonObject } from '../../lib/json.ts';
import { isJsonObject, objectsIn } from '../../lib/json.ts';
import { blocksOf } from './blocks.ts';
import { optionGroup, optionObject } from './composition.ts';
import { focusIsOnOne, idsAreUnique, inputsWithoutSubmit } from './cross-checks.ts';
import type { Surface } from './elements.ts';
import {
  type BlockKitFault,
  boolean,
  characterCount,
  exactlyOne,
  formatFault,
  list,
  object,
  oneOfTypes,
  type Rule,
  type Shape,
  string,
} from './rules.ts';
import { plainText } from './text.ts';
import { isEmpty, textLength } from './walk.ts';

const blocks: Record<Surface, Rule> = {
  modal: blocksOf('modal'),
  home: blocksOf('home'),
  message: blocksOf('message'),
};

const ofEveryView = {
  private_metadata: string({ max: 3000 }),
  callback_id: string({ max: 255 }),
  external_id: string({ max: 255 }),
};

const views = {
  modal: {
    needs: { title: plainText(24), blocks: blocks.modal },
    may: {
      ...ofEveryView,
      submit: plainText(24),
      close: plainText(24),
      clear_on_close: boolean,
      notify_on_close: boolean,
    },
    also: [modalHoldsTogether],
  },
  home: { needs: { blocks: blocks.home }, may: ofEveryView, also: [viewHoldsTogether] },
} satisfies Record<string, Shape>;
const view = oneOfTypes(views);
const viewOfNoType = object({ ...views.modal, needs: { ...views.modal.needs, type: string() } });

/**
 * What Slack refuses in a view, as the `response_metadata.messages` of `invalid_arguments`
 * (Slack: views.open, views.update, views.push, views.publish); empty when it takes the view.
 */
export function validateView(value: unknown): string[] {
  const rule = isJsonObject(value) && value.type === undefined ? viewOfNoType : view;
  return rule(value, '/view').map(formatFault);
}

/** A refused message: the `error` of Slack's answer and its `response_metadata.messages`. */
export interface MessageError {
  error: string;
  messages: string[];
}

/**
 * What Slack refuses in a message; undefined when it takes it
 * (Slack: chat.postMessage, chat.update, chat.postEphemeral, response_url).
 */
export function checkMessage(message: {
  text?: unknown;
  blocks?: unknown;
  attachments?: unknown;
}): MessageError | undefined {
  const { text, blocks, attachments } = message;
  if ([text, blocks, attachments].every(isEmpty)) {
    return refusal('no_text');
  }
  return checkText(text) ?? checkBlocks(blocks) ?? checkAttachments(attachments);
}

/** What Slack refuses in the answer to an options request of a select: `{options}` or `{option_groups}`. */
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

/** Whether Slack refuses a view as `view_too_large`: above 250 kB as JSON. */
export function viewIsTooLarge(view: unknown): boolean {
  return new TextEncoder().encode(JSON.stringify(view)).length > 250_000;
}

function checkText(text: unknown): MessageError | undefined {
  if (isEmpty(text)) {
    return undefined;
  }
  if (typeof text !== 'string') {
    return refusal('invalid_arguments', string()(text, '/text'));
  }
  return characterCount(text) > 40_000 ? refusal('msg_too_long') : undefined;
}

function checkBlocks(sent: unknown): MessageError | undefined {
  if (isEmpty(sent)) {
    return undefined;
  }
  if (!Array.isArray(sent)) {
    return refusal('invalid_blocks_format');
  }
  const faults = blocksHoldTogether(sent, '/blocks');
  if (faults.length > 0) {
    return refusal('invalid_blocks', faults);
  }

  const given = objectsIn(sent);
  if (given.filter((block) => block.type === 'table').length > 1) {
    return refusal('invalid_attachments', [{ message: 'only_one_table_allowed', pointer: '/blocks' }]);
  }
  // Slack's limit over all blocks is in no reference; its people put it at 12,000 (bolt-js issue 2509).
  return textLength(given) > 12_000 ? refusal('msg_blocks_too_long') : undefined;
}

function checkAttachments(sent: unknown): MessageError | undefined {
  if (isEmpty(sent)) {
    return undefined;
  }
  if (Array.isArray(sent) && sent.length > 100) {
    return refusal('too_many_attachments');
  }
  const faults = list(attachment)(sent, '/attachments');
  return faults.length > 0 ? refusal('invalid_attachments', faults) : undefined;
}

/** Only the blocks of an attachment are looked into: its other properties are of old and open to all. */
function attachment(value: unknown, pointer: string): BlockKitFault[] {
  if (!isJsonObject(value)) {
    return [{ message: 'must provide an object', pointer }];
  }
  return value.blocks === undefined ? [] : blocksHoldTogether(value.blocks, `${pointer}/blocks`);
}

function blocksHoldTogether(sent: unknown, pointer: string): BlockKitFault[] {
  const faults = blocks.message(sent, pointer);
  return faults.length > 0 ? faults : idsAreUnique(objectsIn(sent), pointer);
}

function refusal(error: string, faults: BlockKitFault[] = []): MessageError {
  return { error, messages: faults.map(formatFault) };
}
