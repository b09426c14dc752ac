import { onceEach } from '../../../../lib/memoize-async.ts';
import { mostRecipients } from '../../../../services/messages/message-form.ts';
import type { CheckedNumber } from '../../../../services/numbers/dnd-check.ts';
import type { NumberList } from '../../../../services/numbers/number-list.ts';
import type { PlaceChoice } from '../../../block-kit/place.ts';
import { type Markup, mrkdwn } from '../../../block-kit/text.ts';
import type { Asker } from '../../../middleware/calls.ts';
import type { Tools } from '../../../middleware/context.ts';
import { Refusal } from '../../../middleware/errors.ts';
import { requestKey } from '../../../middleware/idempotency-key.ts';
import { whyNotIn } from '../../../notifier/deliver-notice.ts';
import {
  channelFileComment,
  channelReport,
  fileComment,
  needsFile,
  type Report,
  routeFor,
} from './report-views.ts';
import { channelResultFile, resultFile, resultFileName } from './result-file.ts';

/** Checks a list and brings the result to where it is wanted, but for the view or the reply, which the caller has. */
export interface Checking {
  /** Once for a request and what it asks, however often it arrives. Throws a Refusal where no provider key is connected. */
  check(
    asker: Asker,
    list: NumberList,
    request: { id: string; place?: PlaceChoice; progress: (done: number) => void },
  ): Promise<Report>;
}

const rememberedChecks = 100;

export function createChecking({ services, telling, files, log, stopping }: Tools): Checking {
  const { numbers: numberService, workspaces, messaging } = services;
  const once = onceEach<Report>(rememberedChecks);

  /** Keeps the numbers for *Send SMS*, on the route that reaches them. */
  async function keepDraft(asker: Asker, requestId: string, numbers: readonly CheckedNumber[]) {
    if (numbers.length > mostRecipients) {
      return undefined;
    }
    const { workspaceId, personId } = asker;
    const recipients = numbers.map(({ number }) => number);
    const draftId = requestKey(workspaceId, requestId, 'dnd', ...recipients);
    const { senderId } = await workspaces.defaults(workspaceId);
    await messaging.save(workspaceId, draftId, personId, {
      recipients,
      route: routeFor(numbers),
      text: '',
      ...(senderId === undefined ? {} : { senderId }),
    });
    return draftId;
  }

  async function sendFile(
    { personId }: Asker,
    numbers: readonly CheckedNumber[],
    list: NumberList,
  ): Promise<Report['file']> {
    const file = {
      name: resultFileName,
      content: resultFile(numbers, list.bad),
      comment: fileComment(numbers).source,
    };
    return files.share({ personId }, file).then(
      () => 'sent',
      (error: unknown) => {
        log.warn({ err: error }, 'a result file could not be sent');
        return 'failed';
      },
    );
  }

  async function post(
    { personId }: Asker,
    { channelId, showNumbers }: PlaceChoice,
    numbers: readonly CheckedNumber[],
    long: boolean,
  ): Promise<Markup | undefined> {
    if (channelId === undefined) {
      return undefined;
    }
    if (!long) {
      return telling.post(channelId, channelReport(numbers, personId, showNumbers));
    }
    const file = {
      name: resultFileName,
      content: channelResultFile(numbers, showNumbers),
      comment: channelFileComment(numbers, personId).source,
    };
    return files.share({ channelId }, file).then(
      () => undefined,
      (error: unknown) => whyNotIn(channelId, error),
    );
  }

  return {
    check: (asker, list, { id, place, progress }) =>
      once(JSON.stringify([asker.workspaceId, asker.personId, id, list, place]), async () => {
        const checked = await numberService.checkDnd(asker.workspaceId, list.numbers, {
          progress,
          signal: stopping,
        });
        if (checked.kind === 'not_connected') {
          throw new Refusal(keyGone);
        }
        const { numbers } = checked;
        const long = needsFile(list);
        const draftId = await keepDraft(asker, id, numbers);
        const file = long ? await sendFile(asker, numbers, list) : 'none';
        const notPosted = place?.inChannel ? await post(asker, place, numbers, long) : undefined;
        return { numbers, list, draftId, file, notPosted };
      }),
  };
}

const keyGone = mrkdwn`This workspace’s provider key was removed meanwhile. Nothing was checked.`;
