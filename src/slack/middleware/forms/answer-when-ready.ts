import type { ModalView } from '@slack/types';
import { type Markup, mrkdwn } from '../../block-kit/text.ts';
import { UserError } from '../errors.ts';
import type { SubmissionRequest, SubmissionResponse } from '../requests.ts';

/**
 * Answers a submission with the result of `work` if it is there before the ack deadline, and otherwise shows `loading`
 * until it is. Errors that come too late to stand beside their fields are thrown as a `UserError`, after `nothingDone`.
 */
export async function answerWhenReady(
  work: Promise<SubmissionResponse>,
  options: Pick<SubmissionRequest, 'beforeAckDeadline'> & {
    loading: ModalView;
    nothingDone?: Markup;
    /** Blocks that are not filled in again. */
    secrets?: readonly string[];
  },
): Promise<SubmissionResponse> {
  const { beforeAckDeadline, loading, nothingDone, secrets = [] } = options;
  const early = await beforeAckDeadline(work);
  if (early !== undefined) {
    return early;
  }
  return {
    view: loading,
    secrets,
    background: async (show) => {
      const late = await work;
      if ('view' in late) {
        if (late.background === undefined) {
          return late.view;
        }
        await show(late.view);
        return late.background(show);
      }
      const errors = Object.values(late.errors).filter(Boolean).join(' ');
      throw new UserError(nothingDone === undefined ? mrkdwn`${errors}` : mrkdwn`${nothingDone} ${errors}`);
    },
  };
}
