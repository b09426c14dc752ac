/**
 * The checks that Slack's server makes of what an app sends: views, messages, answers to an options request.
 * The words are Slack's where they were seen (its public schema checker, and errors reported of the live API);
 * the few that are ours say so where they stand.
 */

import { isJsonObject, objectsIn } from '../json.ts';
import type { JsonObject } from '../protocol.ts';
import { blocksOf } from './blocks.ts';
import { optionGroup, optionObject } from './composition.ts';
import type { Surface } from './elements.ts';
import {
  type BlockKitFault,
  boolean,
  exactlyOne,
  inSlacksWords,
  list,
  object,
  oneOfRules,
  type Rule,
  type Shape,
  string,
} from './engine.ts';
import { blocksAreTooLong, textIsTooLong } from './size-limits.ts';
import { plainText } from './text.ts';
import { focusIsOnOne, idsAreUnique, inputsOfNoUse } from './together.ts';
import { isNothing } from './walk.ts';

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
const view = oneOfRules(views);
const viewOfNoType = object({ ...views.modal, needs: { ...views.modal.needs, type: string() } });

/**
 * What Slack refuses in a view, as the `response_metadata.messages` of `invalid_arguments`
 * (Slack: views.open, views.update, views.push, views.publish); empty when it takes the view.
 */
export function validateView(value: unknown): string[] {
  const rule = isJsonObject(value) && value.type === undefined ? viewOfNoType : view;
  return rule(value, '/view').map(inSlacksWords);
}

/** A refused message: the `error` of Slack's answer and its `response_metadata.messages`. */
export interface ViewRefusal {
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
}): ViewRefusal | undefined {
  const { text, blocks, attachments } = message;
  if ([text, blocks, attachments].every(isNothing)) {
    return refusal('no_text');
  }
  return checkText(text) ?? checkBlocks(blocks) ?? checkAttachments(attachments);
}

/** What Slack refuses in the answer to an options request of a select: `{options}` or `{option_groups}`. */
export function checkOptionsAnswer(answer: unknown): string[] {
  return optionsAnswer(answer, '').map(inSlacksWords);
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
  const inputs = view.submit === undefined ? inputsOfNoUse(objectsIn(view.blocks), `${pointer}/blocks`) : [];
  return [...inputs, ...viewHoldsTogether(view, pointer)];
}

function checkText(text: unknown): ViewRefusal | undefined {
  if (isNothing(text)) {
    return undefined;
  }
  if (typeof text !== 'string') {
    return refusal('invalid_arguments', string()(text, '/text'));
  }
  return textIsTooLong(text) ? refusal('msg_too_long') : undefined;
}

function checkBlocks(sent: unknown): ViewRefusal | undefined {
  if (isNothing(sent)) {
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
    return refusal('invalid_attachments', [{ words: 'only_one_table_allowed', pointer: '/blocks' }]);
  }
  return blocksAreTooLong(given) ? refusal('msg_blocks_too_long') : undefined;
}

function checkAttachments(sent: unknown): ViewRefusal | undefined {
  if (isNothing(sent)) {
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
    return [{ words: 'must provide an object', pointer }];
  }
  return value.blocks === undefined ? [] : blocksHoldTogether(value.blocks, `${pointer}/blocks`);
}

function blocksHoldTogether(sent: unknown, pointer: string): BlockKitFault[] {
  const faults = blocks.message(sent, pointer);
  return faults.length > 0 ? faults : idsAreUnique(objectsIn(sent), pointer);
}

function refusal(error: string, faults: BlockKitFault[] = []): ViewRefusal {
  return { error, messages: faults.map(inSlacksWords) };
}
