import type { ModalView } from '@slack/types';
import type { EsimInstallation } from '../../../../services/esims/esims.ts';
import { context, notice, section } from '../../../block-kit/build.ts';
import { loadingView } from '../../../block-kit/loading-view.ts';
import { mrkdwn } from '../../../block-kit/text.ts';

const title = 'Install details';

export function loadingInstallation(): ModalView {
  return loadingView(title, 'Asking the provider…');
}

/** The details to type into a phone that cannot scan. They are shown in this view only. */
export function installationView(iccid: string, installation: EsimInstallation): ModalView {
  const { smdp, code, whole, asksConfirmation } = installation;
  return notice(
    title,
    section(mrkdwn`*eSIM* \`${iccid}\``),
    section(
      mrkdwn`Where the phone cannot scan, choose to enter the details by hand in its settings, under *Mobile network* or *Cellular*, *Add eSIM*.`,
    ),
    section(mrkdwn`*SM-DP+ address*\n\`${smdp}\``),
    section(mrkdwn`*Activation code*\n\`${code.reveal()}\``),
    ...(asksConfirmation === true
      ? [section(mrkdwn`*Confirmation code*\nThe phone asks for one: the provider has it.`)]
      : []),
    section(mrkdwn`*Or all in one*, where the phone has a single field\n\`${whole.reveal()}\``),
    context(mrkdwn`:warning: Whoever enters these takes the eSIM. You alone see them here.`),
  );
}
