import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { maskIccid } from '../../../../domain/esims/iccid.ts';
import type { EsimQrImage } from '../../../../services/esims/esims.ts';
import { actions, button, context, modal, notice, section } from '../../../block-kit/build.ts';
import { channelInput } from '../../../block-kit/inputs/destination-input.ts';
import { loadingView } from '../../../block-kit/loading-view.ts';
import { stateIcons } from '../../../block-kit/state-icons.ts';
import { channelMention, mrkdwn, userMention } from '../../../block-kit/text.ts';
import type { SharedFile } from '../../../client/files.ts';
import { esimActions } from '../actions.ts';

export const qrChannelCallback = 'esim_qr_channel';
export const qrChannelMetadata = z.object({ iccid: z.string() });

const title = 'QR image';

export function loadingQrView(): ModalView {
  return loadingView(title, 'Getting the QR image…');
}

/**
 * The image as a file with a comment, which names the user in a channel. The ICCID is masked, since it goes into a message.
 */
export function qrFile(iccid: string, image: EsimQrImage, fromUserId?: string): SharedFile {
  const name = maskIccid(iccid);
  const from = fromUserId === undefined ? mrkdwn`` : mrkdwn`, from ${userMention(fromUserId)}`;
  const remark = image.isDrawn ? mrkdwn`` : mrkdwn`\n${notChecked}`;
  const comment = mrkdwn`*QR image of the eSIM ${name}*${from}\n:warning: Only the intended person should scan this.${remark}`;
  return {
    name: `esim-${iccid.slice(-4)}.${image.format === 'png' ? 'png' : 'jpg'}`,
    content: image.content,
    altText: `QR code that installs the eSIM ${name}`,
    comment: comment.source,
  };
}

const notChecked = mrkdwn`:warning: This is the provider’s image as it came. Switchboard didn’t check what it holds.`;

/** Shown when the image was sent to the user. */
export function qrSentView(iccid: string, image: EsimQrImage): ModalView {
  const value = JSON.stringify({ iccid });
  return notice(
    title,
    section(
      mrkdwn`${stateIcons.done} *The image is in your messages with Switchboard.* Show it on a screen or on paper, and scan it with the phone.`,
    ),
    context(mrkdwn`:warning: Only the intended person should scan this.`),
    ...(image.isDrawn ? [] : [context(notChecked)]),
    actions(
      'esim_qr',
      button(esimActions.qrInChannel, 'Share in a channel…', { value }),
      button(esimActions.installation, 'Install details', { value }),
    ),
  );
}

/** The warning and the choice of a channel, before the image is posted there. */
export function qrChannelView(iccid: string): ModalView {
  return modal({
    callbackId: qrChannelCallback,
    title: 'Share QR image',
    submit: 'Share',
    close: 'Cancel',
    metadata: { iccid },
    blocks: [
      section(
        mrkdwn`:warning: *Anyone in the channel can install the eSIM.* That includes people who join later and, in a shared channel, people of other organisations.`,
      ),
      channelInput(undefined, 'image'),
      context(mrkdwn`The QR image of the eSIM \`${iccid}\` goes there.`),
    ],
  });
}

export function qrSharedView(channelId: string): ModalView {
  return notice(
    title,
    section(
      mrkdwn`${stateIcons.done} *The image is in ${channelMention(channelId)}.* Anyone in the channel can install the eSIM.`,
    ),
  );
}
