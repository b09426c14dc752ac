import { idempotencyKey } from '../../../domain/access/request-keys.ts';
import { maxRecipientsPerRequest } from '../../../domain/messages/chunk-size.ts';
import { adviseRoute } from '../../../domain/messages/routes.ts';
import { type PhoneNumber, toE164 } from '../../../domain/phone/phone-number.ts';
import { createAsyncCache } from '../../../lib/async-cache.ts';
import { workspaceKey } from '../../../lib/workspace-caches.ts';
import {
  type NumberList,
  type NumberListFaults,
  type ReadNumberList,
  readNumberList,
} from '../../../services/numbers/number-list.ts';
import { context, loadingView, notice, present, section } from '../../block-kit/build.ts';
import type { DestinationChoice } from '../../block-kit/inputs/destination-input.ts';
import { message } from '../../block-kit/message.ts';
import { formatCount, pluralize } from '../../block-kit/plural.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { type Markup, mrkdwn } from '../../block-kit/text.ts';
import type { InputFile } from '../../block-kit/view-state.ts';
import { defineCommand } from '../../kit/command.ts';
import { destinationField, tableFileField, textField } from '../../kit/fields.ts';
import { defineForm } from '../../kit/form.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { readDroppedFile, smallFile } from '../../middleware/dropped-file.ts';
import { UserError } from '../../middleware/errors.ts';
import { addToRefusal } from '../../middleware/explain-refusal.ts';
import { whenConnected } from '../../middleware/not-performed.ts';
import { numbersOfMessage } from '../../middleware/numbers-of-message.ts';
import type { ActionRequest, CommandRequest, User } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import type { ToolContent, Viewer } from '../../navigation/navigation.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { showProgress } from '../../notifier/progress.ts';
import {
  dndCheckTitle,
  needsFile,
  type Report,
  type ReportedNumber,
  reportMessage,
  reportView,
  resultFile,
  resultFileName,
  sharedFileComment,
  sharedReport,
  sharedResultFile,
  titled,
} from './dnd-report.ts';
import { correctionMessage, registerSendTo, saveMessageDraft } from './results.ts';

/** Opens the form with the text of a command. */
const editAction = 'dnd_check_edit';
/** In one check. */
const maxNumbers = 1_000;
/** A reply can be replaced four times at most (Slack: response_url), so its progress is shown at each third. */
const progressUpdates = 3;
/** In a modal, how many more numbers are done at each update of the progress. */
const progressStep = 20;
const maxCachedChecks = 100;

/** `/dnd-check`, and the shortcut *Check numbers*: the Do-Not-Disturb state of numbers, and the route that reaches each. */
export function registerDndCheck(router: Router, app: AppContext): void {
  const runCheck = createRunDndCheck(app);
  const form = createCheckForm(app, runCheck);
  const openForm = async (
    { user, open }: Pick<ActionRequest, 'user' | 'open'>,
    channelId: string | undefined,
    numbers = '',
  ) => {
    const destination = { inChannel: false, channelId };
    await open(await form.view(user, undefined, { initial: { numbers, destination } }));
  };

  defineCommand(app, {
    name: 'dnd-check',
    title: 'How to check for Do-Not-Disturb',
    purpose: mrkdwn`*Check numbers for Do-Not-Disturb*, and see each number’s network and the route that reaches it.`,
    note: mrkdwn`A long result comes as a file. *Send SMS* opens a message to up to 100 numbers, on a route that reaches all of them.`,
    connected: true,
    words: {},
    otherwise: {
      needs: 'look_up',
      help: (name) => [
        mrkdwn`\`${name}\` opens the form, for pasted numbers or a CSV file.`,
        mrkdwn`\`${name} +2348031234567 0805 123 4567\` checks up to 1,000 numbers. Only you see the result.`,
        mrkdwn`*Check numbers* in the menu of a message checks the numbers in the message.`,
      ],
      accepts: (typed) => /\d/.test(typed),
      async run(call, typed) {
        if (typed === '') {
          await openForm(call, call.channelId);
          return;
        }
        const { country } = await app.services.workspaces.defaults(call.user.workspaceId);
        const read = await readNumberList({ typed: call.text }, { country, max: maxNumbers });
        await (read.ok
          ? replyWithReport(runCheck, call, read.list)
          : call.reply(correctionMessage(faultOf(read.faults), editAction, call.text.trim())));
      },
    },
  }).register(router);

  form.register(router);
  registerSendTo(router, app);
  router.action(openActions.dndCheckForm, 'look_up', (call) => openForm(call, undefined));
  router.action(editAction, 'look_up', (call) => openForm(call, call.channelId, call.value));
  const checkMessage = whenConnected(app, async (call) => {
    const found = await numbersOfMessage(call, app);
    if (found !== undefined) {
      const { numbers, note } = found;
      await replyWithReport(runCheck, call, { numbers, duplicates: 0, rejected: [] }, note);
    }
  });
  router.shortcut('check_numbers', 'look_up', checkMessage);
}

/** Numbers typed, pasted or in a file, and the destination of the result. */
function createCheckForm(app: AppContext, runCheck: RunDndCheck) {
  return defineForm({
    id: 'dnd_check',
    title: dndCheckTitle,
    submit: 'Check',
    close: 'Close',
    needs: 'look_up',
    fields: {
      numbers: textField('Phone numbers', {
        multiline: true,
        focus: true,
        hint: 'Separated by commas, spaces or line breaks. About 200 fit here.',
        optional: true,
      }),
      file: tableFileField('With a column of phone numbers. Up to 1,000 numbers.', {
        label: 'Or a CSV file',
        optional: true,
      }),
      destination: destinationField(),
    },
    async submitted({ user, requestId, beforeAckDeadline, form: { destination, ...form } }) {
      const reading = readNumbers(app, user, form);
      const early = await beforeAckDeadline(reading);
      if (early?.ok === false) {
        return { faults: early.faults };
      }
      return {
        view:
          early === undefined ? loadingView(dndCheckTitle, 'Reading the file…') : checkingView(early.list, 0),
        background: async (show) => {
          const late = await reading;
          if (!late.ok) {
            throw new UserError(mrkdwn`${faultOf(late.faults)}`);
          }
          const { list } = late;
          const progress = showProgress(
            (done) => show(checkingView(list, done)),
            progressStep,
            list.numbers.length,
          );
          const request = { id: requestId, destination, progress: progress.report };
          return reportView(await runCheck(user, list, request).finally(progress.settled));
        },
      };
    },
  });
}

/** Reads the numbers of the form, and of its file, which is fetched from Slack. */
async function readNumbers(
  app: AppContext,
  { workspaceId }: User,
  { numbers: typed, file: dropped }: { numbers: string; file: InputFile | undefined },
): Promise<ReadNumberList> {
  const { country } = await app.services.workspaces.defaults(workspaceId);
  const options = { country, max: maxNumbers };
  if (dropped === undefined) {
    return readNumberList({ typed }, options);
  }
  const limits = { ...smallFile, remedy: 'Remove other columns.' };
  const read = await readDroppedFile({ workspaceId, dropped }, limits, app, (content) =>
    readNumberList({ typed, file: { name: dropped.name, content } }, options),
  );
  return 'reason' in read ? { ok: false, faults: { file: read.reason } } : read;
}

/** The fault of a list, when there is no field to show it beside. */
function faultOf(faults: NumberListFaults): string {
  return 'numbers' in faults ? faults.numbers : faults.file;
}

async function replyWithReport(
  runCheck: RunDndCheck,
  { user, requestId, reply }: CommandRequest,
  list: NumberList,
  note?: Markup,
): Promise<void> {
  const total = list.numbers.length;
  const show = (done: number) => {
    const text = checking(total, done);
    return reply(message(text));
  };
  await show(0);
  const progress = showProgress(show, Math.ceil(total / progressUpdates), total);
  const report = await runCheck(user, list, { id: requestId, progress: progress.report });
  await progress.settled();
  const { text, blocks } = reportMessage(report);
  await reply({ text, blocks: [...present(note && context(note)), ...blocks] });
}

/** With a result that is also sent as a file, the modal can be closed. */
function checkingView(list: NumberList, done: number) {
  const mayClose = context(
    mrkdwn`You can close this. The result also comes as a file, in your messages with Switchboard.`,
  );
  const text = checking(list.numbers.length, done);
  return notice(dndCheckTitle, section(text), ...present(needsFile(list) && mayClose));
}

function checking(total: number, done: number): Markup {
  return mrkdwn`${stateIcons.underway} Checking ${pluralize(total, 'number')}: ${formatCount(done)} done…`;
}

/** A check: its list, and what asked for it. */
interface CheckRequest {
  id: string;
  destination?: DestinationChoice;
  progress: (done: number) => void;
}

type RunDndCheck = ReturnType<typeof createRunDndCheck>;

function createRunDndCheck(app: AppContext) {
  const reports = createAsyncCache<Report>({ max: maxCachedChecks });
  app.caches.add(reports);

  /**
   * Checks a list, and sends the result to its destinations, except for the view or the reply, which is the caller's. Runs
   * once for a request and its list, however often the request arrives.
   *
   * @throws UserError if no provider key is connected
   */
  return (user: User, list: NumberList, request: CheckRequest): Promise<Report> =>
    reports.get(workspaceKey(user.workspaceId, user.userId, request.id, list, request.destination), () =>
      check(app, user, list, request),
    );
}

async function check(
  app: AppContext,
  user: User,
  list: NumberList,
  { id, destination, progress }: CheckRequest,
): Promise<Report> {
  const { workspaceId, userId } = user;
  const numbers = await checkNumbers(app, user, list.numbers, progress);
  const long = needsFile(list);

  // A draft for *Send SMS*, if one message can go to all of them.
  const recipients = numbers.map(({ number }) => number);
  const draftId =
    recipients.length > maxRecipientsPerRequest
      ? undefined
      : idempotencyKey(workspaceId, id, 'dnd', ...recipients.map(toE164));
  if (draftId !== undefined) {
    await saveMessageDraft(app, user, draftId, numbers);
  }

  // The same request on another instance has its own view of the result, and sends nothing more.
  const key = idempotencyKey(workspaceId, userId, id, JSON.stringify([list, destination]));
  let file: Report['file'] = 'none';
  if (long) {
    const asked = { workspaceId, userId, id: `check.${key}.file`, needed: 'look_up' } as const;
    const content = resultFile(numbers, list.rejected);
    const comment = titled(numbers).source;
    file = (await app.posts.privateFile(asked, { name: resultFileName, content, comment })) ?? 'sent';
  }
  const notPosted = destination?.inChannel
    ? await post(app, user, `check.${key}`, destination, numbers, long)
    : undefined;
  return { numbers, list, draftId, canSend: user.permissions.has('send'), file, notPosted };
}

async function checkNumbers(
  { services: { dndChecker, suppressionList }, stopping, time }: AppContext,
  user: Viewer,
  list: readonly PhoneNumber[],
  progress?: CheckRequest['progress'],
): Promise<ReportedNumber[]> {
  const checked = await dndChecker
    .checkDnd(user, list, { progress, signal: stopping })
    .catch(addToRefusal('Nothing was checked.'));
  const listed = await suppressionList.find(user.workspaceId, list);
  const now = time.now();
  return checked.map((number) => ({
    ...number,
    advice: adviseRoute(number, now),
    listed: listed.get(number.number),
  }));
}

/** A check as an answer to be read alone. */
export function createSharedCheck(app: AppContext): ToolContent['checkNumbers'] {
  return async (viewer, list) => sharedReport(await checkNumbers(app, viewer, list), viewer.userId);
}

/** Returns why the result is not in the channel, if it is not. */
async function post(
  { posts }: AppContext,
  { workspaceId, userId }: User,
  id: string,
  { channelId, showNumbers }: DestinationChoice,
  numbers: readonly ReportedNumber[],
  long: boolean,
): Promise<Markup | undefined> {
  if (channelId === undefined) {
    return undefined;
  }
  const asked = { workspaceId, id, userId, channelId };
  if (!long) {
    return posts.message(asked, sharedReport(numbers, userId, showNumbers));
  }
  const file = {
    name: resultFileName,
    content: sharedResultFile(numbers, showNumbers),
    comment: sharedFileComment(numbers, userId).source,
  };
  return posts.file(asked, file, titled(numbers));
}
