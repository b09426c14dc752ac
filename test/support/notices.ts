import type { Notice } from '../../src/store/outbox/notices.ts';

type Deliver = (notice: Notice) => Promise<unknown>;

/** Has notices of every subject delivered by one function; a test replaces those that it is about. */
export function allNoticesBy(deliver: Deliver) {
  return {
    operation: deliver,
    operation_resolved: deliver,
    delivery: deliver,
    campaign: deliver,
    campaign_news: deliver,
    campaign_reports: deliver,
    campaign_resolved: deliver,
    campaign_missed: deliver,
    import: deliver,
    restored: deliver,
    approval: deliver,
    approval_end: deliver,
    approval_news: deliver,
    post: deliver,
    limits: deliver,
    watch: deliver,
    digest: deliver,
    reply: deliver,
    reply_thread: deliver,
  };
}
