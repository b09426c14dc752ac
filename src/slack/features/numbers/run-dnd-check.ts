import { idempotencyKey } from '../../../domain/access/request-keys.ts';
import { maxRecipientsPerRequest } from '../../../domain/messages/chunk-size.ts';
import { adviseRoute } from '../../../domain/messages/routes.ts';
import { createAsyncCache } from '../../../lib/async-cache.ts';
import { workspaceKey } from '../../../lib/workspace-caches.ts';
import type { NumberList } from '../../../services/numbers/number-list.ts';
import type { DestinationChoice } from '../../block-kit/inputs/destination-input.ts';
import type { Markup } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { limitedError, notConnectedError } from '../../middleware/not-performed.ts';
import type { User } from '../../middleware/requests.ts';
import { explainNotPosted } from '../../notifier/notices.ts';
import {
  channelFileComment,
  channelReport,
  channelResultFile,
  fileComment,
  needsFile,
  type Report,
  type ReportedNumber,
  resultFile,
  resultFileName,
} from './dnd-report.ts';
import { saveMessageDraft } from './look-up.ts';

const maxCachedChecks = 100;

/** A check: its list, and what asked for it. */
interface CheckRequest {
  id: string;
  destination?: DestinationChoice;
  progress: (done: number) => void;
}

export type RunDndCheck = ReturnType<typeof createRunDndCheck>;

export function createRunDndCheck(context: AppContext) {
  const reports = createAsyncCache<Report>({ max: maxCachedChecks });
  context.caches.add(reports);

  /**
   * Checks a list, and sends the result to its destinations, except for the view or the reply, which is the caller's. Runs
   * once for a request and its list, however often the request arrives.
   *
   * @throws UserError if no provider key is connected
   */
  return (user: User, list: NumberList, request: CheckRequest): Promise<Report> =>
    reports.get(workspaceKey(user.workspaceId, user.userId, request.id, list, request.destination), () =>
      check(context, user, list, request),
    );
}

async function check(
  context: AppContext,
  user: User,
  list: NumberList,
  { id, destination, progress }: CheckRequest,
): Promise<Report> {
  const { dndChecker, suppressionList, once } = context.services;
  const { workspaceId, userId } = user;
  const checked = await dndChecker.checkDnd(user, list.numbers, { progress, signal: context.stopping });
  if (checked.kind === 'not_connected') {
    throw notConnectedError('Nothing was checked.');
  }
  if (checked.kind === 'limited') {
    throw limitedError(checked.limit, 'Nothing was checked.');
  }
  const listed = await suppressionList.find(workspaceId, list.numbers);
  const now = context.time.now();
  const numbers = checked.numbers.map((number) => ({
    ...number,
    advice: adviseRoute(number, now),
    listed: listed.get(number.number),
  }));
  const long = needsFile(list);
  const draftId = await saveDraft(context, user, id, numbers);
  // The same request on another instance has its own view of the result, and sends nothing more.
  const claim = idempotencyKey(workspaceId, userId, id, JSON.stringify([list, destination]));
  const isFirst = await once.isFirst(workspaceId, `check.${claim}`);
  const file = long && isFirst ? await sendFile(context, user, numbers, list) : long ? 'sent' : 'none';
  const notPosted =
    destination?.inChannel && isFirst ? await post(context, user, destination, numbers, long) : undefined;
  return { numbers, list, draftId, canSend: user.permissions.has('send'), file, notPosted };
}

/** Stores a draft for *Send SMS*. Resolves with its id; undefined if the numbers are too many. */
async function saveDraft(
  context: AppContext,
  user: User,
  requestId: string,
  numbers: readonly ReportedNumber[],
): Promise<string | undefined> {
  if (numbers.length > maxRecipientsPerRequest) {
    return undefined;
  }
  const recipients = numbers.map(({ number }) => number);
  const draftId = idempotencyKey(user.workspaceId, requestId, 'dnd', ...recipients);
  await saveMessageDraft(context, user, draftId, numbers);
  return draftId;
}

async function sendFile(
  { files, log }: AppContext,
  { workspaceId, userId }: User,
  numbers: readonly ReportedNumber[],
  list: NumberList,
): Promise<Report['file']> {
  const file = {
    name: resultFileName,
    content: resultFile(numbers, list.rejected),
    comment: fileComment(numbers).source,
  };
  try {
    await files.share(workspaceId, { userId, needed: 'look_up' }, file);
    return 'sent';
  } catch (error) {
    log.warn({ err: error }, 'a result file could not be sent');
    return 'failed';
  }
}

/** Returns why the result is not in the channel, if it is not. */
async function post(
  { notifier, files }: AppContext,
  { workspaceId, userId }: User,
  { channelId, showNumbers }: DestinationChoice,
  numbers: readonly ReportedNumber[],
  long: boolean,
): Promise<Markup | undefined> {
  if (channelId === undefined) {
    return undefined;
  }
  if (!long) {
    return notifier.post(workspaceId, channelId, channelReport(numbers, userId, showNumbers));
  }
  const file = {
    name: resultFileName,
    content: channelResultFile(numbers, showNumbers),
    comment: channelFileComment(numbers, userId).source,
  };
  return files.share(workspaceId, { channelId }, file).then(
    () => undefined,
    (error: unknown) => explainNotPosted(channelId, error),
  );
}
