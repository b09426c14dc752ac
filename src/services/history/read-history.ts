import { isInboundStatus } from '../../domain/deliveries/delivery-status.ts';
import { readReportedTime } from '../../domain/deliveries/reported-time.ts';
import { readCost } from '../../domain/money/money.ts';
import type { CountryCode } from '../../domain/phone/countries.ts';
import { readReportedNumber } from '../../domain/phone/reported-number.ts';
import type { MessageRecord } from '../../provider/messages/message-history.ts';
import type { DeliveryReport } from '../../store/deliveries/deliveries.ts';

/** Nothing of an answer that names no number. Numbers, times and costs are read as those of reports. */
export function reportsOf(records: readonly MessageRecord[], country: CountryCode): DeliveryReport[] {
  return records.flatMap(({ messageId, receiver = '', sender, text, status, writtenAt, cost }) => {
    const number = readReportedNumber(receiver, country);
    return number !== undefined && status !== '' && !isInboundStatus(status)
      ? [
          {
            providerId: messageId,
            number,
            sender,
            text,
            status,
            reportedAt: writtenAt === undefined ? undefined : readReportedTime(writtenAt),
            cost: cost === undefined ? undefined : readCost(cost),
            source: 'history' as const,
          },
        ]
      : [];
  });
}
