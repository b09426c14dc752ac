import type { OtpService } from '../../../services/otp/otp-service.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import { UserError } from '../../middleware/errors.ts';
import { answerWhenReady, type FormResult } from '../../middleware/forms/answer-when-ready.ts';
import type { ActionRequest, User } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import {
  retryHint,
  unansweredView,
  verificationView,
  verifyAction,
  verifyCallback,
  verifyingView,
  verifyMetadata,
  verifyView,
} from './verify-view.ts';

/** The form for the code that a customer reads back. */
export function registerVerification(router: Router, otp: OtpService): void {
  router.action(verifyAction, 'send', async (call: ActionRequest) => {
    const codes = await otp.listVerifiable(call.user.workspaceId, call.user.userId);
    const form = verifyView(codes, call.value);
    await call.show(form);
  });

  router.submission(verifyCallback, 'send', async ({ user, values, metadata, beforeAckDeadline }) => {
    const key = verifyMetadata.parse(metadata).key ?? values.otp_which?.text ?? '';
    const typed = values.otp_typed?.text ?? '';
    return answerWhenReady(verify(user, key, typed), {
      beforeAckDeadline,
      loading: verifyingView(),
      secrets: ['otp_typed'],
    });
  });

  async function verify({ workspaceId, userId }: User, key: string, typed: string): Promise<FormResult> {
    const verification = await otp.verify(workspaceId, key, userId, typed);
    switch (verification.kind) {
      case 'not_connected':
        throw new UserError(mrkdwn`The provider’s key was removed. The code was not checked.`);
      case 'unanswered':
      case 'unconfirmed':
        return { view: unansweredView(verification, key) };
      default: {
        const retry = retryHint(verification);
        return retry === undefined
          ? { view: verificationView(verification, key) }
          : { errors: { otp_typed: retry } };
      }
    }
  }
}
