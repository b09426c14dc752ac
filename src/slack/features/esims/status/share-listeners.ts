import { maskIccid } from '../../../../domain/esims/iccid.ts';
import type { EsimQrImage } from '../../../../services/esims/esims.ts';
import type { ProviderAnswer } from '../../../../services/operations/outcomes.ts';
import type { AuditDetails } from '../../../../store/audit/audit-trail.ts';
import { mrkdwn } from '../../../block-kit/text.ts';
import type { AppContext } from '../../../middleware/app-context.ts';
import { UserError } from '../../../middleware/errors.ts';
import { idempotencyKey } from '../../../middleware/idempotency-key.ts';
import { notConnectedError } from '../../../middleware/not-connected.ts';
import type { User } from '../../../middleware/requests.ts';
import type { Router } from '../../../middleware/router/router.ts';
import { explainNotPosted } from '../../../notifier/deliver-notice.ts';
import { esimActions } from '../actions.ts';
import type { FindIccid } from './find-iccid.ts';
import { installationView, loadingInstallation } from './installation-view.ts';
import {
  loadingQrView,
  qrChannelCallback,
  qrChannelMetadata,
  qrChannelView,
  qrFile,
  qrSentView,
  qrSharedView,
} from './qr-views.ts';

/**
 * Shares what installs an eSIM: the QR image with its user by message, or with a channel after a warning, and the install
 * details in a modal.
 */
export function registerEsimSharing(router: Router, context: AppContext, findIccid: FindIccid): void {
  const { services, files, log } = context;
  const { esims, audit, claims } = services;

  async function imageOf({ workspaceId }: User, iccid: string): Promise<EsimQrImage> {
    return requireAnswer(await esims.qrImage(workspaceId, iccid));
  }

  async function sendToUser(user: User, iccid: string, image: EsimQrImage): Promise<void> {
    const { workspaceId, userId } = user;
    await files
      .share(workspaceId, { userId, needed: 'esim_status' }, qrFile(iccid, image))
      .catch((error: unknown) => {
        if (error instanceof UserError) {
          throw error;
        }
        log.warn({ err: error }, 'a QR image could not be sent to its user');
        throw new UserError(
          mrkdwn`Slack didn’t take the QR image. Try again in a moment, or use *Install details*.`,
        );
      });
    await recordShare(user, iccid, {});
  }

  /** Everyone who has the image can install the eSIM. */
  function recordShare({ workspaceId }: User, iccid: string, details: AuditDetails): Promise<void> {
    const entry = { action: 'esim.share', subject: maskIccid(iccid), outcome: 'done' } as const;
    return audit.record({ workspaceId, ...entry, details });
  }

  async function sendToChannel(user: User, iccid: string, channelId: string): Promise<void> {
    const image = await imageOf(user, iccid);
    const file = qrFile(iccid, image, user.userId);
    await files.share(user.workspaceId, { channelId }, file).catch((error: unknown) => {
      throw new UserError(explainNotPosted(channelId, error));
    });
    await recordShare(user, iccid, { channel: channelId });
  }

  router.action(esimActions.qrImage, 'esim_status', async (call) => {
    const iccid = await findIccid(call.user, call.value);
    const { workspaceId, userId } = call.user;
    const replace = await call.push(loadingQrView());
    const image = await imageOf(call.user, iccid);
    const key = idempotencyKey(workspaceId, userId, iccid, call.view?.id ?? call.requestId);
    // Keeps a double click, or a request that Slack repeats, from posting the image twice.
    await claims.once(workspaceId, `qr.${key}`, () => sendToUser(call.user, iccid, image));
    await replace(qrSentView(iccid, image));
  });

  router.action(esimActions.qrInChannel, 'esim_status', async (call) => {
    await call.show(qrChannelView(await findIccid(call.user, call.value)));
  });

  router.submission(qrChannelCallback, 'esim_status', async ({ user, requestId, values, metadata }) => {
    const { iccid } = qrChannelMetadata.parse(metadata);
    const channelId = values.channel?.text;
    if (channelId === undefined) {
      return { errors: { channel: 'Choose a channel.' } };
    }
    return {
      view: loadingQrView(),
      background: async () => {
        const key = idempotencyKey(user.workspaceId, requestId, channelId);
        await claims.once(user.workspaceId, `qr.${key}`, () => sendToChannel(user, iccid, channelId));
        return qrSharedView(channelId);
      },
    };
  });

  router.action(esimActions.installation, 'esim_status', async (call) => {
    const iccid = await findIccid(call.user, call.value);
    const replace = await call.push(loadingInstallation());
    const installation = requireAnswer(await esims.installation(call.user.workspaceId, iccid));
    if (installation === 'only_an_image') {
      throw new UserError(
        mrkdwn`The provider gave no activation code for this eSIM, only an image. Use *QR image*.`,
      );
    }
    await replace(installationView(iccid, installation));
  });
}

/**
 * Returns the value of a response.
 *
 * @throws UserError with the reason if there is none
 */
function requireAnswer<T>(answer: ProviderAnswer<T>): T {
  switch (answer.kind) {
    case 'answered':
      return answer.value;
    case 'failed':
      throw new UserError(mrkdwn`${answer.error.message}`);
    case 'not_connected':
      throw notConnectedError();
  }
}
