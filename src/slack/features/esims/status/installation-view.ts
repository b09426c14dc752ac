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
      mrkdwn`For a phone that can’t scan. In the phone’s settings, open *Mobile network* or *Cellular*, then *Add eSIM*, and enter the details by hand.`,
    ),
    section(mrkdwn`*SM-DP+ address*\n\`${smdp}\``),
    section(mrkdwn`*Activation code*\n\`${code.reveal()}\``),
    ...(asksConfirmation === true
      ? [section(mrkdwn`*Confirmation code*\nThe phone asks for one. Get the code from the provider.`)]
      : []),
    section(mrkdwn`*All in one*, for a phone with a single field\n\`${whole.reveal()}\``),
    context(mrkdwn`:warning: Only the intended person should enter these details. Only you see them here.`),
  );
}
