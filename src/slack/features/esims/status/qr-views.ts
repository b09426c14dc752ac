import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { maskIccid } from '../../../../domain/esims/iccid.ts';
import { actions, button, context, modal, notice, section } from '../../../block-kit/build.ts';
import { channelInput } from '../../../block-kit/inputs/destination-input.ts';
import { loadingView } from '../../../block-kit/loading-view.ts';
import { stateIcons } from '../../../block-kit/state-icons.ts';
import { channelMention, type Markup, mrkdwn, userMention } from '../../../block-kit/text.ts';
import type { SharedFile } from '../../../client/files.ts';
import { esimActions } from '../actions.ts';

export const qrChannelCallback = 'esim_qr_channel';
export const qrChannelMetadata = z.object({ iccid: z.string() });

const title = 'QR image';

export function loadingQrView(): ModalView {
  return loadingView(title, 'Getting the QR image…');
}

/** The image as a file with a comment. The ICCID in it is masked, since it goes into a message. */
export function qrFile(iccid: string, image: Buffer, comment: Markup): SharedFile {
  return {
    name: `esim-${iccid.slice(-4)}.png`,
    content: image,
    altText: `QR code that installs the eSIM ${maskIccid(iccid)}`,
    comment: comment.source,
  };
}

export function commentForUser(iccid: string): Markup {
  return mrkdwn`*QR image of the eSIM ${maskIccid(iccid)}*\n:warning: Only the intended person should scan this.`;
}

export function commentForChannel(iccid: string, userId: string): Markup {
  return mrkdwn`*QR image of the eSIM ${maskIccid(iccid)}*, from ${userMention(userId)}\n:warning: Only the intended person should scan this.`;
}

/** Shown when the image was sent to the user. */
export function qrSentView(iccid: string): ModalView {
  const value = JSON.stringify({ iccid });
  return notice(
    title,
    section(
      mrkdwn`${stateIcons.done} *The image is in your messages with Switchboard.* Show it on a screen or on paper, and scan it with the phone.`,
    ),
    context(mrkdwn`:warning: Only the intended person should scan this.`),
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
