import { onceEach } from '../../../../lib/memoize-async.ts';
import type { ProviderAnswer } from '../../../../services/operations/outcomes.ts';
import { mrkdwn } from '../../../block-kit/text.ts';
import type { AppContext } from '../../../middleware/app-context.ts';
import { UserError } from '../../../middleware/errors.ts';
import { idempotencyKey } from '../../../middleware/idempotency-key.ts';
import { pushModal, replaceModal } from '../../../middleware/open-modal.ts';
import type { Router, User } from '../../../middleware/requests.ts';
import { explainNotPosted } from '../../../notifier/deliver-notice.ts';
import { esimActions } from '../actions.ts';
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
export function registerEsimSharing(router: Router, context: AppContext, lookUp: Lookup): void {
  const { services, files, log } = context;
  const { esims } = services;
  /** A double click, or a request that Slack sends again, does not post the image twice. */
  const once = onceEach<void>(rememberedShares);

  async function imageOf({ workspaceId }: User, iccid: string): Promise<Buffer> {
    return answered(await esims.qrImage(workspaceId, iccid));
  }

  async function sendToPerson(user: User, iccid: string): Promise<void> {
    const image = await imageOf(user, iccid);
    const { userId } = user;
    await files.share({ userId }, qrFile(iccid, image, commentForPerson(iccid))).catch((error: unknown) => {
      log.warn({ err: error }, 'a QR image could not be sent to its person');
      throw new UserError(
        mrkdwn`The QR image could not be sent to you: Slack did not take it. Try again in a moment, or use *Install details*.`,
      );
    });
  }

  async function sendToChannel(user: User, iccid: string, channelId: string): Promise<void> {
    const image = await imageOf(user, iccid);
    const file = qrFile(iccid, image, commentForChannel(iccid, user.userId));
    await files.share({ channelId }, file).catch((error: unknown) => {
      throw new UserError(explainNotPosted(channelId, error));
    });
  }

  router.action(esimActions.qrImage, async (call) => {
    const iccid = await lookUp(call.user, call.value);
    const { workspaceId, userId } = call.user;
    const replace = await pushModal(call)(drawingView());
    const key = idempotencyKey(workspaceId, userId, iccid, call.view?.id ?? call.requestId);
    await once(key, () => sendToPerson(call.user, iccid));
    await replace(qrSentView(iccid));
  });

  router.action(esimActions.qrInChannel, async (call) => {
    await replaceModal(call)(qrChannelView(await lookUp(call.user, call.value)));
  });

  router.submission(qrChannelCallback, async ({ user, requestId, values, metadata }) => {
    const { iccid } = qrChannelMetadata.parse(metadata);
    const channelId = values.esim_qr_place?.text;
    if (channelId === undefined) {
      return { errors: { esim_qr_place: 'Choose a channel.' } };
    }
    return {
      view: drawingView(),
      background: async () => {
        await once(idempotencyKey(user.workspaceId, requestId, channelId), () =>
          sendToChannel(user, iccid, channelId),
        );
        return qrSharedView(channelId);
      },
    };
  });

  router.action(esimActions.installation, async (call) => {
    const iccid = await lookUp(call.user, call.value);
    const replace = await pushModal(call)(loadingInstallation());
    const installation = answered(await esims.installation(call.user.workspaceId, iccid));
    await replace(installationView(iccid, installation));
  });
}

/** The answer, or a Refusal that says why there is none. */
function answered<T>(answer: ProviderAnswer<T>): T {
  switch (answer.kind) {
    case 'answered':
      return answer.value;
    case 'failed':
      throw new UserError(mrkdwn`${answer.error.message}`);
    case 'not_connected':
      throw keyGone();
  }
}
