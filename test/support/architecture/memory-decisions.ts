/**
 * Why nobody misses what an instance has in memory, where another instance gets the next click or takes over the work. By
 * the file, or by the file and what is in it, as `memoryPlacesIn` names it.
 *
 * Something new belongs into the store, unless one of these is true of it.
 */
export const memoryDecisions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'ends with the call, the request or the file that it is for': {
    'domain/csv/write-csv.ts': 'the file that is written',
    'domain/csv/read-csv.ts': 'the file that is read',
    'domain/csv/number-table.ts': 'the file that is read',
    'domain/csv/recipient-rows.ts': 'the columns of one file',
    'domain/phone/number-groups.ts': 'the text that is read',
    'domain/phone/contact-names.ts resolveNames.byCall': 'one list of recipients',
    'provider/http/exchange.ts': 'one request and its response',
    'provider/request/input-fields.ts': 'the recipients of one request',
    'services/campaigns/preflight/preflight.ts': 'one sample, and its examples',
    'services/costs/entered-prices.ts': 'one change of the prices, which are in the store',
    'services/costs/estimate.ts': 'one estimate',
    'services/esims/esim-plans.ts': 'one list of plans',
    'services/history/provider-history.ts': 'one question to the provider, whose answers go to the store',
    'services/numbers/number-lookup.ts': 'one check',
    'services/reports/reports.ts takeBody.foreign': 'one body of reports',
    'domain/messages/accents.ts accentedLetters.found': 'one text',
    'store/deliveries/sole-candidate.ts askOtherWorkspaces.result': 'one search',
    'services/otp/codes.ts': 'one attempt, which is counted in the store',
    'services/otp/otp-service.ts':
      'a token that is shown once, to who asked: the store must not have it, and nobody else gets it',
    'services/suppression-list/suppression-list.ts': 'one removal',
    'services/workspaces/once.ts': 'one call, which is noted in the store',
    'slack/features/audit/audit.ts registerVerification.named': 'one check of the audit',
    'slack/features/campaigns/import.ts': 'the rows of one import, shown while it runs',
    'slack/features/campaigns/review/preflight.ts': 'the progress of one check',
    'slack/features/campaigns/status/result-files.ts': 'the files of one click',
    'slack/features/contacts/list.ts search.total': 'the progress of one search',
    'slack/features/history/ask-provider.ts registerAskProvider.total':
      'the progress of one question to the provider',
    'slack/features/history/export.ts': 'the files of one click',
    'slack/features/messages/review-listeners.ts': 'one click',
    'slack/middleware/forms/form-memory.ts createFormMemory.merged':
      'one change of what is kept, which is in the store',
    'slack/middleware/router/action.ts': 'what one action showed',
    'slack/middleware/router/tool.ts answerCall.answer': 'the answer to one call',
    'slack/middleware/router/tool.ts runTool.blocks': 'the answer to one call',
    'slack/notifier/posts.ts createPosts.ended': 'one attempt to post, whose outcome goes to the store',
    'store/outbox/posts.ts createPostStore.isAdded': 'one transaction',
    'slack/features/replies/reply-notices.ts': 'one delivery',
    'slack/middleware/router/command.ts': 'what one command answered',
    'slack/kit/command.ts defineCommand.isReplaced': 'one click',
    'slack/middleware/router/views.ts replaceWhileLatest.knownHash': 'what one request showed',
    'slack/notifier/notices.ts': 'one run through the outbox',
    'slack/notifier/outcome-notifier.ts': 'one delivery',
    'slack/notifier/progress.ts': 'the progress of one request',
    'store/audit/verify-audit.ts': 'one check of the audit',
    'store/campaigns/import/hashes.ts': 'one import: an instance that dies leaves it interrupted, and tells',
    'store/campaigns/import/import-writer.ts':
      'one import: an instance that dies leaves it interrupted, and tells',
    'store/installation/key-rotation.ts reencryptAll.nextLine': 'one rotation',
    'store/installation/key-rotation.ts reencrypt.replacements': 'one page of one rotation',
    'store/erasure/erase-from-campaigns.ts': 'one erasure',
    'store/deliveries/costs/count-costs.ts countCosts.currencies': 'one run of the job',
    'store/engine/transaction.ts': 'one transaction',
    'store/deliveries/claim-recipients.ts createOutcomes.counted': 'one transaction',
  },

  'is of the instance itself: its threads, connections, load and clocks, and its stop': {
    'lib/listeners.ts': 'its own functions',
    'lib/log-fields.ts': 'its own calls',
    'lib/metrics.ts': 'its own figures',
    'lib/tracing/tracing.ts': 'its own traces',
    'lib/request-origin.ts': 'its own calls',
    'lib/time/system-load.ts': 'its event loop',
    'lib/time/throttle.ts': 'how often it does something',
    'lib/yield-to-event-loop.ts': 'its event loop',
    'run.ts': 'its stop',
    'store/installation/key-rotation.ts createKeyRotation.loggedState': 'what it logged last',
    'store/installation/key-rotation.ts createKeyRotation.notBefore':
      'when it tries again: the keys are in the store',
    'provider/http/transport.ts': 'its connections: with more instances there are more',
    'services/approvals/approvals.ts createApprovals.listeners': 'each instance tells of what it did',
    'services/campaigns/campaign-service.ts': 'its own listeners, and what it waits for when it stops',
    'services/erasure/erasure-service.ts createErasureService.running': 'what it waits for when it stops',
    'services/erasure/erasure-service.ts createErasureService.listeners': 'its own caches',
    'services/history/unknown-statuses.ts createUnknownStatuses.logged': 'what is in its own log',
    'services/workspaces/workspaces.ts createConnections.accountListeners': 'its own modules',
    'services/replies/replies.ts createReplies.listeners':
      'what it shows of what it sent: the outbox has the rest',
    'web/health.ts': 'whether it is ready',
    'web/accept-wait.ts': 'its connections',
    'web/server.ts': 'its connections',
    'slack/app/receiver.ts': 'its server',
    'slack/app/installations/slack-access.ts': 'what it waits for when it stops',
    'slack/app/load-shedding.ts': 'its load',
    'app.ts': 'its stop',
    'slack/app/socket.ts': 'its socket',
    'slack/features/approvals/approval-messages.ts': 'what it waits for when it stops',
    'slack/middleware/router/request-context.ts': 'what it waits for when it stops',
    'store/engine/data-dir/data-dir.ts': 'its folder',
    'store/engine/instances/instances.ts': 'its own heartbeat',
    'store/engine/postgres/database.ts': 'its connections',
    'store/engine/postgres/pool.ts': 'its connections, and whether the server has another one for it',
    'store/installation/postgres-installation.ts': 'its own mark, which is in its folder',
    'store/engine/sqlite/database.ts': 'its thread',
    'store/engine/sqlite/statement-runner.ts': 'its thread',
    'store/engine/sqlite/worker.ts': 'its thread',
    'store/engine/sqlite/write-counter.ts': 'its file, which one process has',
  },

  'never changes, so that each instance has the same': {
    'slack/block-kit/emoji.ts .table': 'the names of emoji, read at the first text that may have one',
    'domain/limits/budget-period.ts': 'computed from its key',
    'domain/limits/number-country.ts': 'computed from its key',
    'domain/phone/plain-mobile.ts': 'computed from its key',
    'lib/log.ts': 'read from the program’s own files',
    'provider/response/redaction.ts': 'computed from the secret',
    'slack/app/installations/single-access.ts createIdentity.cached': 'whose the bot token is',
    'slack/app/slackbot-route.ts': 'how many requests this instance answers',
    'slack/middleware/router/dispatch.ts': 'the listeners that the program registers',
    'slack/middleware/router/router.ts createRouter.tools': 'the tools that the program registers',
    'store/audit/audit-trail.ts createAuditTrail.keys': 'made once for a database',
    'store/engine/key-value/key-value-store.ts': 'reads and writes the store, and keeps nothing itself',
  },

  'saves asking the store, where another instance finds the same': {
    'services/reports/reports.ts createReports.isWaking':
      'one wake for several reports: each instance makes its own',
    'store/deliveries/deliveries.ts createDeliveries.waiting':
      'reports that are being written down together: none is answered before it is in the store',
    'services/operations/operations.ts createOperations.pending':
      'one send or cancellation under a key: on another instance it meets the row of the ledger, and waits for its end',
    'services/campaigns/import/campaign-imports.ts':
      'one import after the other: on another instance the later one takes the place of the earlier in the store; nothing is sent',
    'services/campaigns/sending/campaign-scheduler.ts': 'its own workers: the claims are in the store',
    'services/campaigns/sending/running-campaigns.ts':
      'its own workers, and for how long it saw what others do not send: the claims are in the store',
    'services/campaigns/sending/chunk-requests.ts':
      'the requests that it has in flight, their speed and newest balance: what was claimed and how it ended is in the store',
    'services/campaigns/sending/campaign-worker.ts':
      'the campaign that it sends, and no other instance: what was claimed and how it ended is in the store',
    'services/campaigns/sending/workspace-quota.ts':
      'the order of its own workers: the pace is in the store, and a claim has what is left of it',
    'services/campaigns/split.ts createSplit.oneByOne':
      'one split of a draft after the other: of two instances, one replaces the draft in the store, and the other discards what it made',
    'services/erasure/erasure-service.ts createErasureService.oneByOne':
      'one erasure of a person after the other: to erase twice is to erase once; one that was cut off is in the store',
    'slack/app/installations/token-checks.ts createTokenChecks.checking':
      'the check is under a lease in the store',
    'slack/app/installations/bot-tokens.ts createTokenRefresh.refreshing':
      'the refresh is under a lease in the store',
    'slack/features/settings/connection.ts createWaitingMessages.waiting':
      'a message that still says that the provider is not connected: its button leads on',
    'slack/features/numbers/look-up.ts':
      'a repeated request: elsewhere it looks again, and posts nothing again',
    'slack/features/numbers/dnd-check.ts createRunDndCheck.reports':
      'a repeated request: elsewhere it checks again, and posts nothing again',
    'slack/features/campaigns/progress/progress-messages.ts ProgressMessages.#tracked':
      'when to show a change that this instance made: it reads the campaign, and where its message is, each time',
    'slack/middleware/forms/form-memory.ts createClosedForms.latest':
      'the store has them as well, unless it fails',
    'store/audit/audit-trail.ts createAuditTrail.waiting':
      'entries that this instance still has to write, as its health says',
    'store/installation/installation.ts': 'the store has whether the notices were written',
    'store/outbox/outbox.ts': 'what this instance delivers: the leases are in the rows',
    'store/operations/ledger.ts': 'the order of what began in one millisecond on one instance',
  },

  'is dropped by a broadcast when it changes, and where that is lost expires or is checked where it counts': {
    'lib/async-cache.ts': 'see each cache',
    'lib/coalesce.ts': 'work of its own that runs: another instance has its own',
    'lib/workspace-caches.ts': 'the caches themselves: they are told to drop a workspace',
    'lib/keyed-mutex.ts': 'see each use',
    'services/access/access.ts': 'for 5 s; a button, a form and what is sent in the background read them',
    'services/contacts/contacts.ts': 'a search, for a minute',
    'services/contacts/phonebooks.ts': 'a list to choose from; what is added is checked by the provider',
    'services/esims/esims.ts': 'lists to choose from; what is bought is checked by the provider',
    'services/reports/reports.ts createAddressCache.addressed':
      'for 5 s: a report to a previous address only moves forward what is known',
    'services/reports/reports.ts createAddressCache.keys': 'for 5 s, as addresses are',
    'services/workspaces/account-list-cache.ts': 'see each list',
    'services/workspaces/workspaces.ts createConnections.connections':
      'for 5 s; what spends reads the key each time',
    'services/workspaces/workspaces.ts createConnections.accounts':
      'used only with the key that was just read, or where there is no other instance',
    'services/workspaces/workspaces.ts createConnections.drops': 'a key that is being read',
    'services/workspaces/workspace-settings.ts': 'for 5 s',
    'slack/app/installations/serving-installations.ts': 'for 5 s',
    'slack/client/channels.ts': 'for 30 s; a post meets what is true',
    'slack/client/people.ts': 'for a minute, as on one instance',
    'slack/client/user-groups.ts': 'for a minute, as on one instance',
    'slack/client/user-names.ts': 'for ten minutes: a name in a file',
    'slack/middleware/router/views.ts createForcedUpdates.underWay':
      'what it sends to Slack: where another instance sent it, the form is shown over what was submitted until the next answer',
    'slack/middleware/router/views.ts createLatestActions.latest':
      'where the broadcast is late, the answer to an earlier action is shown until the next one',
    'store/engine/encryption/phone-hashes.ts':
      'for 5 s: a workspace that was forgotten and comes back has another key',
  },

  'may be lost, or be there once for each instance': {
    'lib/time/database-time.ts followDatabaseTime.origin':
      'where the clock of this instance begins; it follows the database’s',
    'store/engine/jobs/postgres-broadcast.ts': 'the listeners of this instance',
    'store/engine/jobs/postgres-jobs.ts': 'what this instance works on: the jobs are in the store',
    'store/engine/jobs/table-jobs.ts': 'what this instance works on: the jobs are in the store',
    'store/engine/postgres/listener.ts': 'the connection of this instance, and what it listens to',
    'store/engine/postgres/errors.ts': 'whether this instance has logged that the database is away',
    'provider/esims/esim-token.ts':
      'a token, which the store has as well: each instance renews its own in time',
    'services/campaigns/sending/circuit-breaker.ts':
      'what one worker was answered, and how often the provider failed in a row: the pace itself is in the store',
    'services/sender-ids/network-check.ts createNetworkCheck.isDue':
      'a variable of one call: that the check was shown is in the store',
    'services/sender-ids/sender-id-service.ts':
      'names to choose from, for five minutes; they change at the provider',
    'slack/app/installations/token-checks.ts createTokenChecks.checkedAt':
      'Slack is asked again by each instance, and not too often',
    'slack/app/installations/single-access.ts createSingleTokenCheck.wasRefused':
      'whether Slack refused the one token: each instance asks, and holds what is sent',
    'slack/app/installations/token-clients.ts': 'a client, used only with the token that was just read',
    'slack/app/installations/bot-tokens.ts createTokenRefresh.notBefore':
      'each instance waits before it tries again',
    'slack/middleware/list-buttons.ts': 'a request that is repeated elsewhere: an admin gets the file again',
    'slack/features/campaigns/progress/progress-messages.ts':
      'what the instance does when; Slack’s limits are met by each',
    'slack/features/campaigns/progress/update-queue.ts':
      'when this instance updates messages: it knows how many instances share Slack’s limits',
    'slack/middleware/authorize.ts': 'a refusal is recorded once a minute by each instance',
  },
};
