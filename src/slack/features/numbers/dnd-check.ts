import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { idempotencyKey } from '../../../domain/access/request-keys.ts';
import {
  type NumberList,
  type NumberListFaults,
  type ReadNumberList,
  readNumberList,
} from '../../../services/numbers/number-list.ts';
import { context, input, loadingView, modal, notice, section } from '../../block-kit/build.ts';
import {
  type DestinationChoice,
  destinationInputs,
  readDestination,
} from '../../block-kit/inputs/destination-input.ts';
import { textInput } from '../../block-kit/inputs/fields.ts';
import { limits } from '../../block-kit/limits.ts';
import { helpMessage, message, type SlackMessage } from '../../block-kit/message.ts';
import { formatCount, pluralize } from '../../block-kit/plural.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { type Markup, mrkdwn } from '../../block-kit/text.ts';
import type { FormValues } from '../../block-kit/view-state.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { readDroppedFile, smallFile } from '../../middleware/dropped-file.ts';
import { UserError } from '../../middleware/errors.ts';
import { whenConnected } from '../../middleware/not-performed.ts';
import { numbersOfMessage } from '../../middleware/numbers-of-message.ts';
import type { ActionRequest, CommandRequest, User } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { numbersOr } from '../../middleware/unknown-subcommand.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { showProgress } from '../../notifier/progress.ts';
import { correctionMessage } from './correction.ts';
import { dndCheckTitle, needsFile, reportMessage, reportView, sendToAction } from './dnd-report.ts';
import { createRunDndCheck, type RunDndCheck } from './run-dnd-check.ts';

/** A reply can be replaced four times at most (Slack: response_url), so its progress is shown at each third. */
const progressUpdates = 3;

/** `/dnd-check`, and the shortcut *Check numbers*: the Do-Not-Disturb state of numbers, and the route that reaches each. */
export function registerDndCheck(router: Router, context: AppContext): void {
  const runCheck = createRunDndCheck(context);
  registerDndCheckForm(router, context, runCheck);
  router.command(
    'dnd-check',
    'look_up',
    whenConnected(context, (call) => onCheckCommand(context, runCheck, call)),
    () => dndCheckHelp(context.settings.commandPrefix),
    numbersOr(),
  );

  const onShortcut = whenConnected(context, async (call) => {
    const found = await numbersOfMessage(call, context);
    if (found !== undefined) {
      const { numbers, note } = found;
      await replyWithReport(runCheck, call, { numbers, duplicates: 0, rejected: [] }, note);
    }
  });
  router.shortcut('check_numbers', 'look_up', onShortcut);

  router.action(sendToAction, 'send', (call) => openMessageTo(context, call));
}

async function onCheckCommand(
  { services: { workspaces } }: AppContext,
  runCheck: RunDndCheck,
  call: CommandRequest,
): Promise<void> {
  if (call.text.trim() === '') {
    await call.open(dndCheckView('', { inChannel: false, channelId: call.channelId }, call.channelId));
    return;
  }
  const { country } = await workspaces.defaults(call.user.workspaceId);
  const read = await readNumberList({ typed: call.text }, { country, max: maxNumbers });
  await (read.ok
    ? replyWithReport(runCheck, call, read.list)
    : call.reply(correctionMessage(faultOf(read.faults), editCheckAction, call.text.trim())));
}

async function replyWithReport(
  runCheck: RunDndCheck,
  call: CommandRequest,
  list: NumberList,
  note?: Markup,
): Promise<void> {
  const total = list.numbers.length;
  const show = (done: number) => call.reply(checkingMessage(done, total));
  await show(0);
  const progress = showProgress(show, Math.ceil(total / progressUpdates), total);
  const report = await runCheck(call.user, list, { id: call.requestId, progress: progress.report });
  await progress.settled();
  await call.reply(withNote(reportMessage(report), note));
}

async function openMessageTo({ services, navigation }: AppContext, call: ActionRequest): Promise<void> {
  const { workspaceId, userId } = call.user;
  const { draft } = await services.messages.find(workspaceId, call.value, userId);
  if (draft === undefined) {
    throw new UserError(mrkdwn`This result is too old. Check the number again.`);
  }
  const { recipients, route } = draft.content;
  const view = await navigation.messageForm(
    call.user,
    { recipients: recipients.join('\n'), route },
    { draftId: idempotencyKey(workspaceId, call.requestId), origin: call.channelId },
  );
  await call.push(view);
}

function withNote(report: SlackMessage, note: Markup | undefined): SlackMessage {
  return note === undefined ? report : { ...report, blocks: [context(note), ...report.blocks] };
}

function dndCheckHelp(prefix: string): SlackMessage {
  const name = `/${prefix}dnd-check`;
  return helpMessage(
    mrkdwn`How to check for Do-Not-Disturb with ${name}`,
    mrkdwn`*Check numbers for Do-Not-Disturb*: the network of each, and the route that reaches it.`,
    [
      mrkdwn`\`${name}\` opens the form, for pasted numbers or a CSV file.`,
      mrkdwn`\`${name} +2348031234567 0805 123 4567\` checks up to 1,000 numbers. Only you see the result.`,
      mrkdwn`*Check numbers* in the menu of a message checks the numbers in the message.`,
    ],
    mrkdwn`A long result comes as a file. *Send SMS* opens a message to up to 100 numbers, on a route that reaches all of them.`,
  );
}

/** How many more numbers are done at each update of the progress. */
const progressStep = 20;

/** The form of `/dnd-check`: numbers typed, pasted or in a file, and the destination of the result. */
function registerDndCheckForm(router: Router, context: AppContext, runCheck: RunDndCheck): void {
  router.action(openActions.dndCheckForm, 'look_up', async ({ open }) => {
    await open(dndCheckView('', { inChannel: false }, undefined));
  });

  router.action(editCheckAction, 'look_up', async ({ value, channelId, open }) => {
    await open(dndCheckView(value, { inChannel: false, channelId }, channelId));
  });

  router.action(checkDestinationAction, 'look_up', async ({ view }) => {
    const { origin } = checkMetadata.parse(view?.metadata);
    const typed = view?.values.numbers?.text ?? '';
    await view?.replace(dndCheckView(typed, readDestination(view.values, origin), origin));
  });

  router.submission(
    checkCallback,
    'look_up',
    async ({ user, requestId, values, metadata, beforeAckDeadline }) => {
      const reading = readNumbers(context, user, values);
      const early = await beforeAckDeadline(reading);
      if (early?.ok === false) {
        return { errors: early.faults };
      }
      const destination = readDestination(values, checkMetadata.parse(metadata).origin);
      return {
        view: early === undefined ? readingNumbersView() : progressView(early.list)(0),
        background: async (show) => {
          const late = await reading;
          if (!late.ok) {
            throw new UserError(mrkdwn`${faultOf(late.faults)}`);
          }
          const { list } = late;
          const viewAt = progressView(list);
          const progress = showProgress((done) => show(viewAt(done)), progressStep, list.numbers.length);
          const request = { id: requestId, destination, progress: progress.report };
          return reportView(await runCheck(user, list, request).finally(progress.settled));
        },
      };
    },
  );
}

function progressView(list: NumberList) {
  const file = needsFile(list);
  return (done: number) => checkingView(done, list.numbers.length, file);
}

/** In one check. */
const maxNumbers = 1_000;

/** Reads the numbers of the form, and of its file, which is fetched from Slack. */
async function readNumbers(
  context: AppContext,
  { workspaceId }: User,
  values: FormValues,
): Promise<ReadNumberList> {
  const { country } = await context.services.workspaces.defaults(workspaceId);
  const options = { country, max: maxNumbers };
  const typed = values.numbers?.text ?? '';
  const [dropped] = values.file?.files ?? [];
  if (dropped === undefined) {
    return readNumberList({ typed }, options);
  }
  const limits = { ...smallFile, remedy: 'Remove other columns.' };
  const read = await readDroppedFile({ workspaceId, dropped }, limits, context, (content) =>
    readNumberList({ typed, file: { name: dropped.name, content } }, options),
  );
  return 'reason' in read ? { ok: false, faults: { file: read.reason } } : read;
}

/** The fault of a list, when there is no field to show it beside. */
function faultOf(faults: NumberListFaults): string {
  return 'numbers' in faults ? faults.numbers : faults.file;
}

const checkCallback = 'dnd_check';
const checkDestinationAction = 'dnd_place_choice';
/** Opens the form with the text of a command. */
const editCheckAction = 'dnd_check_edit';

const checkMetadata = z.object({ origin: z.string().optional() });

/** The form; `origin` is the channel it was opened from. Slack keeps the dropped file in its field. */
export function dndCheckView(
  typed: string,
  destination: DestinationChoice,
  origin: string | undefined,
): ModalView {
  return modal({
    callbackId: checkCallback,
    title: dndCheckTitle,
    submit: 'Check',
    metadata: { origin },
    blocks: [
      textInput('numbers', 'Phone numbers', typed, {
        maxLength: limits.inputText,
        multiline: true,
        focus: true,
        hint: 'Separated by commas, spaces or line breaks. About 200 fit here.',
        optional: true,
      }),
      input(
        'file',
        'Or a CSV file',
        { type: 'file_input', action_id: 'file', filetypes: ['csv', 'tsv', 'txt'], max_files: 1 },
        {
          hint: 'With a column of phone numbers. Up to 1,000 numbers in all.',
          optional: true,
        },
      ),
      ...destinationInputs(destination, checkDestinationAction),
    ],
  });
}

export function readingNumbersView(): ModalView {
  return loadingView(dndCheckTitle, 'Reading the file…');
}

/** `file`: whether the result is also sent as a file, so the modal can be closed. */
export function checkingView(done: number, of: number, file: boolean): ModalView {
  const mayClose = context(
    mrkdwn`You can close this. The result also comes as a file, in your messages with Switchboard.`,
  );
  return notice(dndCheckTitle, section(checking(done, of)), ...(file ? [mayClose] : []));
}

export function checkingMessage(done: number, of: number): SlackMessage {
  const text = checking(done, of);
  return message(text, [section(text)]);
}

function checking(done: number, of: number): Markup {
  return mrkdwn`${stateIcons.underway} Checking ${pluralize(of, 'number')}: ${formatCount(done)} done…`;
}
