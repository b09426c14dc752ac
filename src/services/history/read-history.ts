import { isInboundStatus } from '../../domain/deliveries/delivery-status.ts';
import type { MessageRecord } from '../../provider/messages/message-history.ts';
import type { DeliveryReport } from '../../store/deliveries/deliveries.ts';

/** Nothing of an answer that names no number. */
export function reportsOf(records: readonly MessageRecord[]): DeliveryReport[] {
  return records.flatMap(({ messageId, receiver = '', sender, text, status, createdAt, cost }) => {
    const digits = receiver.replace(/^\+/, '');
    return /^\d{7,15}$/.test(digits) && status !== '' && !isInboundStatus(status)
      ? [
          {
            providerId: messageId,
            number: `+${digits}`,
            sender,
            text,
            status,
            reportedAt: createdAt,
            cost,
            source: 'history' as const,
          },
        ]
      : [];
  });
}
