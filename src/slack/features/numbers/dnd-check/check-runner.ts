import { maxRecipientsPerRequest } from '../../../../domain/messages/chunk-size.ts';
import { adviseRoute } from '../../../../domain/messages/route-advice.ts';
import { createAsyncCache } from '../../../../lib/async-cache.ts';
import { workspaceKey } from '../../../../lib/forgetting.ts';
import type { NumberList } from '../../../../services/numbers/number-list.ts';
import type { DestinationChoice } from '../../../block-kit/inputs/destination-input.ts';
import type { Markup } from '../../../block-kit/text.ts';
import type { AppContext } from '../../../middleware/app-context.ts';
import { idempotencyKey } from '../../../middleware/idempotency-key.ts';
import { notConnectedError } from '../../../middleware/not-connected.ts';
import type { User } from '../../../middleware/requests.ts';
import { limitedError } from '../../../middleware/require-performed.ts';
import { explainNotPosted } from '../../../notifier/deliver-notice.ts';
import { createSaveMessageDraft } from '../message-draft.ts';
import { channelFileComment, channelReport, fileComment, needsFile, type Report } from './report-views.ts';
import type { ReportedNumber } from './reported-number.ts';
import { channelResultFile, resultFile, resultFileName } from './result-file.ts';

/**
 * Checks a list, and sends the result to its destinations, except for the view or the reply, which is the caller's. Runs
 * once for a request and its list, however often the request arrives.
 *
 * @throws UserError if no provider key is connected
 */
export type RunDndCheck = (
  user: User,
  list: NumberList,
  request: { id: string; destination?: DestinationChoice; progress: (done: number) => void },
) => Promise<Report>;

const maxCachedChecks = 100;

export function createRunDndCheck(context: AppContext): RunDndCheck {
  const { services, notifier, files, log, stopping, time } = context;
  const { dndChecker, suppressionList, claims } = services;
  const saveMessageDraft = createSaveMessageDraft(context);
  const reports = createAsyncCache<Report>({ max: maxCachedChecks });
  context.forgetting.cache(reports);

  /** Stores a draft for *Send SMS*. Resolves with its id; undefined if the numbers are too many. */
  async function saveDraft(user: User, requestId: string, numbers: readonly ReportedNumber[]) {
    if (numbers.length > maxRecipientsPerRequest) {
      return undefined;
    }
    const recipients = numbers.map(({ number }) => number);
    const draftId = idempotencyKey(user.workspaceId, requestId, 'dnd', ...recipients);
    await saveMessageDraft(user, draftId, numbers);
    return draftId;
  }

  async function sendFile(
    { workspaceId, userId }: User,
    numbers: readonly ReportedNumber[],
    list: NumberList,
  ): Promise<Report['file']> {
    const file = {
      name: resultFileName,
      content: resultFile(numbers, list.rejected),
      comment: fileComment(numbers).source,
    };
    return files.share(workspaceId, { userId, needed: 'look_up' }, file).then(
      () => 'sent',
      (error: unknown) => {
        log.warn({ err: error }, 'a result file could not be sent');
        return 'failed';
      },
    );
  }

  async function post(
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

  return (user, list, { id, destination, progress }) =>
    reports.get(workspaceKey(user.workspaceId, user.userId, id, list, destination), async () => {
      const checked = await dndChecker.checkDnd(user, list.numbers, {
        progress,
        signal: stopping,
      });
      if (checked.kind === 'not_connected') {
        throw notConnectedError('Nothing was checked.');
      }
      if (checked.kind === 'limited') {
        throw limitedError(checked.limit, 'Nothing was checked.');
      }
      const listed = await suppressionList.find(user.workspaceId, list.numbers);
      const now = time.now();
      const numbers = checked.numbers.map((number) => ({
        ...number,
        advice: adviseRoute(number, now),
        listed: listed.get(number.number),
      }));
      const long = needsFile(list);
      const draftId = await saveDraft(user, id, numbers);
      // The same request on another instance has its own view of the result, and sends nothing more.
      const isFirst = await claims.take(user.workspaceId, `check.${claimOf(user, id, list, destination)}`);
      const file = long && isFirst ? await sendFile(user, numbers, list) : long ? 'sent' : 'none';
      const notPosted =
        destination?.inChannel && isFirst ? await post(user, destination, numbers, long) : undefined;
      return { numbers, list, draftId, canSend: user.permissions.has('send'), file, notPosted };
    });
}

function claimOf(
  { workspaceId, userId }: User,
  requestId: string,
  list: NumberList,
  destination: DestinationChoice | undefined,
): string {
  return idempotencyKey(workspaceId, userId, requestId, JSON.stringify([list, destination]));
}
