import { onceEach } from '../../../../lib/memoize-async.ts';
import type { Answer } from '../../../../services/operations/outcomes.ts';
import { mrkdwn } from '../../../block-kit/text.ts';
import type { Asker, Listening } from '../../../middleware/calls.ts';
import type { Tools } from '../../../middleware/context.ts';
import { Refusal } from '../../../middleware/errors.ts';
import { requestKey } from '../../../middleware/idempotency-key.ts';
import { above, here } from '../../../middleware/show.ts';
import { esimActions } from '../../../navigation/esims.ts';
import { whyNotIn } from '../../../notifier/deliver-notice.ts';
import { installationView, loadingInstallation } from './installation-view.ts';
import { keyGone, type Lookup } from './lookup.ts';
import {
  commentForChannel,
  commentForPerson,
  drawingView,
  qrChannelCallback,
  qrChannelMetadata,
  qrChannelView,
  qrFile,
  qrSentView,
  qrSharedView,
} from './qr-views.ts';

const rememberedShares = 1_000;

/**
 * What installs an eSIM, handed over: the QR image to the person, or after a warning to a channel, and what to type
 * into a phone that cannot scan, in a modal of the person's alone.
 */
export function listenToHandingOver(listening: Listening, tools: Tools, lookUp: Lookup): void {
  const { services, files, log } = tools;
  const { esims } = services;
  /** A double click, or a request that Slack sends again, does not post the image twice. */
  const once = onceEach<void>(rememberedShares);

  async function imageOf({ workspaceId }: Asker, iccid: string): Promise<Buffer> {
    return answered(await esims.qrImage(workspaceId, iccid));
  }

  async function sendToPerson(asker: Asker, iccid: string): Promise<void> {
    const image = await imageOf(asker, iccid);
    const { personId } = asker;
    await files.share({ personId }, qrFile(iccid, image, commentForPerson(iccid))).catch((error: unknown) => {
      log.warn({ err: error }, 'a QR image could not be sent to its person');
      throw new Refusal(
        mrkdwn`The QR image could not be sent to you: Slack did not take it. Try again in a moment, or use *Install details*.`,
      );
    });
  }

  async function sendToChannel(asker: Asker, iccid: string, channelId: string): Promise<void> {
    const image = await imageOf(asker, iccid);
    const file = qrFile(iccid, image, commentForChannel(iccid, asker.personId));
    await files.share({ channelId }, file).catch((error: unknown) => {
      throw new Refusal(whyNotIn(channelId, error));
    });
  }

  listening.action(esimActions.qrImage, async (call) => {
    const iccid = await lookUp(call.asker, call.value);
    const { workspaceId, personId } = call.asker;
    const replace = await above(call)(drawingView());
    const key = requestKey(workspaceId, personId, iccid, call.view?.id ?? call.requestId);
    await once(key, () => sendToPerson(call.asker, iccid));
    await replace(qrSentView(iccid));
  });

  listening.action(esimActions.qrInChannel, async (call) => {
    await here(call)(qrChannelView(await lookUp(call.asker, call.value)));
  });

  listening.submission(qrChannelCallback, async ({ asker, requestId, values, metadata }) => {
    const { iccid } = qrChannelMetadata.parse(metadata);
    const channelId = values.esim_qr_place?.text;
    if (channelId === undefined) {
      return { errors: { esim_qr_place: 'Choose a channel.' } };
    }
    return {
      view: drawingView(),
      afterwards: async () => {
        await once(requestKey(asker.workspaceId, requestId, channelId), () =>
          sendToChannel(asker, iccid, channelId),
        );
        return qrSharedView(channelId);
      },
    };
  });

  listening.action(esimActions.installation, async (call) => {
    const iccid = await lookUp(call.asker, call.value);
    const replace = await above(call)(loadingInstallation());
    const installation = answered(await esims.installation(call.asker.workspaceId, iccid));
    await replace(installationView(iccid, installation));
  });
}

/** The answer, or a Refusal that says why there is none. */
function answered<T>(answer: Answer<T>): T {
  switch (answer.kind) {
    case 'answered':
      return answer.value;
    case 'failed':
      throw new Refusal(mrkdwn`${answer.error.message}`);
    case 'not_connected':
      throw keyGone();
  }
}
