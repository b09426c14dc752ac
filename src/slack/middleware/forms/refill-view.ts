import type { ViewOutput, ViewStateValue } from '@slack/bolt';
import type {
  ActionsBlock,
  ActionsBlockElement,
  AnyBlock,
  Datepicker,
  HomeView,
  InputBlock,
  ModalView,
  PlainTextOption,
  StaticSelect,
} from '@slack/types';
import { bannerBlock, section } from '../../block-kit/build.ts';
import { clampView } from '../../block-kit/clamp.ts';
import { type Markup, mrkdwn } from '../../block-kit/text.ts';
import { isInput } from '../../block-kit/view-state.ts';
import type { FieldErrors } from '../requests.ts';

/** A modal or a Home as Slack sends it, with what the user has entered. */
export type SentView = Pick<
  ViewOutput,
  'blocks' | 'callback_id' | 'close' | 'notify_on_close' | 'private_metadata' | 'state' | 'submit' | 'title'
>;

interface ViewLine {
  text: Markup;
  /** The block the line is shown above, which is where the user is looking; by default at the top. */
  above?: string | undefined;
}

interface ViewError extends ViewLine {
  /** Blocks that held a secret and are not filled in: a secret is never shown again. */
  secrets?: readonly string[] | undefined;
}

/** At most one line is shown: a later one replaces it, and replaces a banner too. */
const lineBlock = 'trouble';

/**
 * The same modal with an error in it. What was entered becomes the initial values, which Slack uses only if another view
 * was shown in between; otherwise it keeps what the fields hold now.
 */
export function modalWithError(view: SentView, { text, ...error }: ViewError): ModalView {
  return modalWithBlocks(view, blocksWithLine(view, { ...error, text: mrkdwn`:warning: ${text}` }));
}

/**
 * The same modal with the errors of its fields in place of its banner, above the first of them. Slack changes nothing else
 * of a view when it shows errors beside fields, so that a *Saved.* would stay.
 */
export function modalWithFaults(view: SentView, faults: FieldErrors): ModalView {
  const faulty = view.blocks.filter(isInput).filter(({ block_id = '' }) => faults[block_id] !== undefined);
  const named = faulty.map(({ label, block_id = '' }) => mrkdwn`*${label.text}*: ${faults[block_id] ?? ''}`);
  const text = mrkdwn`:warning: *Not saved.*\n${named}`;
  const [first] = faulty;
  return modalWithBlocks(view, blocksWithLine(view, { text, above: first?.block_id }, bannerBlock));
}

/** Whether the modal says something of itself that would contradict errors beside its fields. */
export function hasBanner({ blocks }: SentView): boolean {
  return blocks.some(({ block_id }) => block_id === bannerBlock);
}

/** The same modal, as it is filled in, with a line in it. */
export function modalWithLine(view: SentView, line: ViewLine): ModalView {
  return modalWithBlocks(view, blocksWithLine(view, line));
}

/** The same modal, whose entered values become the initial ones. */
export function modalAsFilledIn(view: SentView): ModalView {
  return modalWithBlocks(
    view,
    view.blocks.map((block) => (isInput(block) ? refill(block, view.state.values, []) : block)),
  );
}

function modalWithBlocks(view: SentView, blocks: AnyBlock[]): ModalView {
  return clampView({
    type: 'modal',
    callback_id: view.callback_id,
    title: view.title,
    private_metadata: view.private_metadata,
    ...(view.submit === null ? {} : { submit: view.submit }),
    ...(view.close === null ? {} : { close: view.close }),
    ...(view.notify_on_close ? { notify_on_close: true } : {}),
    blocks,
  });
}

/** The same Home with an error in it. */
export function homeWithError(view: SentView, { text, ...error }: ViewError): HomeView {
  const blocks = blocksWithLine(view, { ...error, text: mrkdwn`:warning: ${text}` });
  return clampView({ type: 'home', blocks });
}

/** The block that an error about the whole form is shown beside. */
export function firstInput({ blocks }: SentView): string | undefined {
  return blocks.find(isInput)?.block_id;
}

function blocksWithLine(
  { blocks, state }: SentView,
  { text, above, secrets = [] }: ViewError,
  blockId = lineBlock,
): AnyBlock[] {
  const shown = blocks.flatMap((block) => {
    if (block.block_id === lineBlock || block.block_id === bannerBlock) {
      return [];
    }
    if (isActions(block)) {
      return [refillActions(block, state.values)];
    }
    return isInput(block) ? [refill(block, state.values, secrets)] : [block];
  });
  const at = Math.max(
    0,
    shown.findIndex(({ block_id }) => block_id === above),
  );
  return shown.toSpliced(at, 0, { ...section(text), block_id: blockId });
}

function isActions(block: AnyBlock): block is ActionsBlock {
  return block.type === 'actions';
}

/** The filters of a list are beside buttons. */
function refillActions(block: ActionsBlock, values: SentView['state']['values']): ActionsBlock {
  const states = values[block.block_id ?? ''] ?? {};
  const elements = block.elements.map((element) => {
    const state = element.action_id === undefined ? undefined : states[element.action_id];
    return state === undefined ? element : withChoice(element, state);
  });
  return { ...block, elements };
}

/** Handles every kind of element that stands beside buttons. */
function withChoice(element: ActionsBlockElement, state: ViewStateValue): ActionsBlockElement {
  switch (element.type) {
    case 'static_select':
      return withOption(element, state);
    case 'datepicker':
      return withDate(element, state);
    case 'users_select': {
      const { initial_user: _, ...rest } = element;
      return state.selected_user ? { ...rest, initial_user: state.selected_user } : rest;
    }
    default:
      return element;
  }
}

function withOption(element: StaticSelect, state: ViewStateValue): StaticSelect {
  const { initial_option: _, ...rest } = element;
  const chosen = optionOf(optionsOf(element), state);
  return chosen ? { ...rest, initial_option: chosen } : rest;
}

function withDate(element: Datepicker, state: ViewStateValue): Datepicker {
  const { initial_date: _, ...rest } = element;
  return state.selected_date ? { ...rest, initial_date: state.selected_date } : rest;
}

function refill(
  block: InputBlock,
  values: SentView['state']['values'],
  secrets: readonly string[],
): InputBlock {
  const { block_id = '', element } = block;
  const state = Object.values(values[block_id] ?? {})[0];
  return state === undefined || secrets.includes(block_id)
    ? block
    : { ...block, element: withInitial(element, state) };
}

/** Handles every kind of element that our inputs have; a file cannot be put back. */
function withInitial(element: InputBlock['element'], state: ViewStateValue): InputBlock['element'] {
  switch (element.type) {
    case 'plain_text_input': {
      const { initial_value: _, ...rest } = element;
      return state.value ? { ...rest, initial_value: state.value } : rest;
    }
    case 'static_select':
      return withOption(element, state);
    case 'radio_buttons': {
      const { initial_option: _, ...rest } = element;
      const chosen = optionOf(element.options, state);
      return chosen ? { ...rest, initial_option: chosen } : rest;
    }
    case 'external_select': {
      const { initial_option: _, ...rest } = element;
      return state.selected_option ? { ...rest, initial_option: state.selected_option } : rest;
    }
    case 'checkboxes': {
      const { initial_options: _, ...rest } = element;
      const ticked = new Set(state.selected_options?.map(({ value }) => value));
      const chosen = element.options.filter(({ value }) => value !== undefined && ticked.has(value));
      return chosen.length > 0 ? { ...rest, initial_options: chosen } : rest;
    }
    case 'conversations_select': {
      const { initial_conversation: _, ...rest } = element;
      return state.selected_conversation
        ? { ...rest, initial_conversation: state.selected_conversation }
        : rest;
    }
    case 'datepicker':
      return withDate(element, state);
    case 'timepicker': {
      const { initial_time: _, ...rest } = element;
      return state.selected_time ? { ...rest, initial_time: state.selected_time } : rest;
    }
    default:
      return element;
  }
}

/** Slack has either options or groups of options, not both. */
function optionsOf({ options = [], option_groups = [] }: StaticSelect): PlainTextOption[] {
  return [...options, ...option_groups.flatMap((group) => group.options)];
}

/** The element's own option: Slack accepts an initial option only if it is identical to one of them. */
function optionOf<Option extends { value?: string }>(
  options: readonly Option[],
  { selected_option }: ViewStateValue,
): Option | undefined {
  return options.find(({ value }) => value === selected_option?.value);
}
