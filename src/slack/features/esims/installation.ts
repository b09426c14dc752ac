import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { idempotencyKey } from '../../../domain/access/request-keys.ts';
import type { EsimInstallation, EsimQrImage } from '../../../services/esims/esims.ts';
import type { AuditDetails } from '../../../store/audit/audit-trail.ts';
import {
  actions,
  button,
  context as contextBlock,
  loadingView,
  notice,
  present,
  section,
} from '../../block-kit/build.ts';
import { esimRefSchema } from '../../block-kit/inputs/selects.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { channelMention, link, mrkdwn, userMention } from '../../block-kit/text.ts';
import type { SharedFile } from '../../client/posting.ts';
import { channelField } from '../../kit/fields.ts';
import { defineForm } from '../../kit/form.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { UserError } from '../../middleware/errors.ts';
import type { ActionRequest, User } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { esimActions } from './actions.ts';

/**
 * Shares what installs an eSIM: the QR image with its user by message, or with a channel after a warning, and the install
 * details in a modal.
 */
export function registerEsimSharing(router: Router, context: AppContext): void {
  const channelForm = createChannelForm(context);
  channelForm.register(router);

  router.action(esimActions.qrImage, 'esim_status', (call) => sendToUser(context, call));

  router.action(esimActions.qrInChannel, 'esim_status', async (call) => {
    await call.show(await channelForm.view(call.user, { iccid: await findIccid(context, call) }));
  });

  router.action(esimActions.installation, 'esim_status', async (call) => {
    const iccid = await findIccid(context, call);
    const replace = await call.push(loadingView(installationTitle, 'Asking the provider…'));
    const installation = await context.services.esims.installation(call.user.workspaceId, iccid);
    if (installation === 'only_an_image') {
      throw new UserError(
        mrkdwn`The provider gave no activation code for this eSIM, only an image. Use *Get QR image*.`,
      );
    }
    await replace(installationView(iccid, installation));
  });
}

/** The warning and the choice of a channel, before the image is posted there. */
function createChannelForm(context: AppContext) {
  return defineForm({
    id: 'esim_qr_channel',
    title: 'QR image in a channel',
    submit: 'Share',
    needs: 'esim_status',
    meta: z.object({ iccid: z.string() }),
    fields: { channel: channelField('image') },
    above: () => [
      section(
        mrkdwn`:warning: *Anyone in the channel can install the eSIM.* That includes people who join later and, in a shared channel, people outside your organization.`,
      ),
    ],
    below: ({ meta }) => [
      contextBlock(mrkdwn`The QR image of the eSIM \`${meta.iccid}\` will be posted there.`),
    ],
    async submitted({ user, requestId, form: { channel }, meta: { iccid } }) {
      return channel === undefined
        ? { faults: { channel: 'Choose a channel.' } }
        : {
            view: loadingQrImage,
            background: async () => {
              const key = idempotencyKey(user.workspaceId, requestId, channel);
              await sendToChannel(context, { user, iccid, channelId: channel, id: `qr.${key}` });
              const shared = mrkdwn`${stateIcons.done} *The image is in ${channelMention(channel)}.* Anyone in the channel can install the eSIM.`;
              return notice(qrTitle, section(shared));
            },
          };
    },
  });
}

async function sendToUser(context: AppContext, call: ActionRequest): Promise<void> {
  const { services, files, log } = context;
  const { user } = call;
  const { workspaceId, userId } = user;
  const iccid = await findIccid(context, call);
  const replace = await call.push(loadingQrImage);
  const image = await services.esims.qrImage(workspaceId, iccid);
  const key = idempotencyKey(workspaceId, userId, iccid, call.view?.id ?? call.requestId);
  // A double click or a request repeated by Slack doesn't post the image twice.
  await services.once.perform(workspaceId, `qr.${key}`, async () => {
    await files
      .share(workspaceId, { userId, needed: 'esim_status' }, qrFile(iccid, image))
      .catch((error: unknown) => {
        if (error instanceof UserError) {
          throw error;
        }
        log.warn({ err: error }, 'a QR image could not be sent to its user');
        throw new UserError(
          mrkdwn`Slack didn’t take the QR image. Try again in a moment, or use *Show install details*.`,
        );
      });
    await recordShare(context, user, iccid, {});
  });
  const value = JSON.stringify({ iccid });
  const sent = notice(
    qrTitle,
    section(
      mrkdwn`${stateIcons.done} *The image is in your messages with Switchboard.* Show it on a screen or on paper, and scan it with the phone.`,
    ),
    contextBlock(mrkdwn`:warning: Only the intended person should scan this.`),
    ...present(!image.isDrawn && contextBlock(notChecked)),
    actions(
      'esim_qr',
      button(esimActions.qrInChannel, 'Share in a channel…', { value }),
      button(esimActions.installation, 'Show install details', { value }),
    ),
  );
  await replace(sent);
}

async function sendToChannel(
  context: AppContext,
  { user, iccid, channelId, id }: { user: User; iccid: string; channelId: string; id: string },
): Promise<void> {
  const { services, posts } = context;
  const { workspaceId, userId } = user;
  const image = await services.esims.qrImage(workspaceId, iccid);
  // Recorded before it's posted, even if the program stops right after: anybody who sees the image can
  // install the eSIM.
  await recordShare(context, user, iccid, { channel: channelId });
  const about = mrkdwn`*QR image* of the eSIM ${iccid}`;
  const asked = { workspaceId, id, userId, channelId };
  const notPosted = await posts.file(asked, qrFile(iccid, image, userId), about);
  if (notPosted !== undefined) {
    throw new UserError(notPosted);
  }
}

/** Recorded because everyone who has the image can install the eSIM. */
function recordShare({ services }: AppContext, { workspaceId }: User, iccid: string, details: AuditDetails) {
  const entry = { action: 'esim.share', subject: iccid, outcome: 'done' } as const;
  return services.audit.record({ workspaceId, ...entry, details });
}

/**
 * Resolves with the ICCID that the value of a button refers to.
 *
 * @throws UserError if the order it names is no longer stored
 */
export async function findIccid(
  { services }: AppContext,
  { user: { workspaceId, userId }, value }: ActionRequest,
): Promise<string> {
  const ref = esimRefSchema.parse(JSON.parse(value));
  if ('iccid' in ref) {
    return ref.iccid;
  }
  const esim = await services.esimOrders.find(workspaceId, ref.order, userId);
  if (esim === undefined) {
    throw new UserError(mrkdwn`This order is more than a month old. Find the eSIM in the list of eSIMs.`);
  }
  return esim.iccid;
}

const qrTitle = 'QR image';
const loadingQrImage = loadingView(qrTitle, 'Getting the QR image…');

/** The image as a file with a comment, which names the user in a channel. */
function qrFile(iccid: string, image: EsimQrImage, fromUserId?: string): SharedFile {
  const from = fromUserId === undefined ? mrkdwn`` : mrkdwn`, from ${userMention(fromUserId)}`;
  const remark = image.isDrawn ? mrkdwn`` : mrkdwn`\n${notChecked}`;
  const comment = mrkdwn`*QR image of the eSIM ${iccid}*${from}\n:warning: Only the intended person should scan this.${remark}`;
  return {
    name: `esim-${iccid.slice(-4)}.${image.format === 'png' ? 'png' : 'jpg'}`,
    content: image.content,
    altText: mrkdwn`QR code that installs the eSIM ${iccid}`.source,
    comment: comment.source,
  };
}

const notChecked = mrkdwn`:warning: Image from the provider, not checked.`;

const installationTitle = 'Install details';

/** The link to open on a phone, and the details to type into one that cannot scan. They are shown in this view only. */
export function installationView(iccid: string, installation: EsimInstallation): ModalView {
  const { typed } = installation;
  const url = installation.link && new URL(installation.link.reveal());
  return notice(
    installationTitle,
    section(mrkdwn`*eSIM* \`${iccid}\``),
    ...present(
      url && section(mrkdwn`*Install link*, to open on the phone\n${link(url, url.href)}`),
      typed &&
        section(
          mrkdwn`For a phone that can’t scan. In the phone’s settings, open *Mobile network* or *Cellular*, then *Add eSIM*, and enter the details manually.`,
        ),
      typed && section(mrkdwn`*SM-DP+ address*\n\`${typed.smdp}\``),
      typed && section(mrkdwn`*Activation code*\n\`${typed.code.reveal()}\``),
      typed?.asksConfirmation === true &&
        section(mrkdwn`*Confirmation code*\nThe phone asks for one. Get the code from the provider.`),
      typed && section(mrkdwn`*All in one*, for a phone with a single field\n\`${typed.whole.reveal()}\``),
    ),
    contextBlock(
      mrkdwn`:warning: Only the intended person should use these details. Only you see them here.`,
    ),
  );
}
