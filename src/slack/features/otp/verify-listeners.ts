import type { OtpService } from '../../../services/otp/otp-service.ts';
import type { ActionRequest } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { verifyAction } from './outcome-view.ts';
import { retryHint, verificationView, verifyCallback, verifyMetadata, verifyView } from './verify-view.ts';

/** The form for the code that a customer reads back. */
export function registerVerification(router: Router, otp: OtpService): void {
  router.action(verifyAction, 'send', async (call: ActionRequest) => {
    const codes = await otp.listVerifiable(call.user.workspaceId, call.user.userId);
    const form = verifyView(codes, call.value);
    await (call.view?.replace(form) ?? call.open(form));
  });

  router.submission(verifyCallback, 'send', async ({ user, values, metadata }) => {
    const key = verifyMetadata.parse(metadata).key ?? values.otp_which?.text ?? '';
    const typed = values.otp_typed?.text ?? '';
    const verification = await otp.verify(user.workspaceId, key, user.userId, typed);
    const retry = retryHint(verification);
    return retry === undefined
      ? { view: verificationView(verification, key) }
      : { errors: { otp_typed: retry } };
  });
}
