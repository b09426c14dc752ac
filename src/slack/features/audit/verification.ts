import type { ModalView } from '@slack/types';
import { describeProblem } from '../../../services/audit/describe-problem.ts';
import type { AuditCheck } from '../../../store/audit/verify-audit.ts';
import { context, notice, section } from '../../block-kit/build.ts';
import { loadingView } from '../../block-kit/loading-view.ts';
import { pluralize } from '../../block-kit/plural.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { joinInline, mrkdwn, timeFor } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { createOncePerDoubleClick } from '../../middleware/double-clicks.ts';
import type { Router } from '../../middleware/router/router.ts';
import { auditActionIds, auditTitle } from './views.ts';

/** Problems that are named. */
const maxNamed = 30;

/** *Verify*: checks every entry of the workspace, and names what was changed. */
export function registerAuditVerification(
  router: Router,
  { services: { audit, claims }, time }: AppContext,
): void {
  const oncePerDoubleClick = createOncePerDoubleClick(claims);
  router.action(auditActionIds.verify, 'administer', (call) =>
    oncePerDoubleClick(call, auditActionIds.verify, async () => {
      const { workspaceId } = call.user;
      const replace = await call.push(loadingView(auditTitle, 'Checking every entry…'));
      const named: string[] = [];
      const check = await audit.verify({
        workspaceId,
        onProblem: async (problem) => {
          if (named.length < maxNamed) {
            named.push(describeProblem(problem));
          }
        },
      });
      await replace(verificationView(check, named, time.now()));
    }),
  );
}

function verificationView(
  { entries, problems }: Pick<AuditCheck, 'entries' | 'problems'>,
  named: readonly string[],
  at: Date,
): ModalView {
  const more = problems - named.length;
  const found =
    problems === 0
      ? [
          section(
            mrkdwn`${stateIcons.done} *The audit is complete.* No entry was changed, and none is missing.`,
          ),
        ]
      : [
          section(mrkdwn`${stateIcons.failed} *${pluralize(problems, 'problem')} found.*`),
          section(mrkdwn`${named.map((text) => mrkdwn`• ${text.charAt(0).toUpperCase()}${text.slice(1)}`)}`),
          ...(more === 0
            ? []
            : [
                section(
                  mrkdwn`And ${pluralize(more, 'more problem')}. Those who run Switchboard can list them all.`,
                ),
              ]),
        ];
  const checked = mrkdwn`${pluralize(entries, 'entry', 'entries')} checked`;
  return notice(auditTitle, ...found, context(joinInline([checked, timeFor(at)])));
}
