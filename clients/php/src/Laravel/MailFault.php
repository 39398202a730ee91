<?php

declare(strict_types=1);

namespace Gatehouse\Laravel;

/** Tells a mail server that is away from an address that it refuses: a visitor chooses the address, and must not be let in by that. */
final class MailFault
{
    /** Replies of SMTP about the server and its settings, not about the mail. */
    private const SERVER_REPLIES = [421, 530, 534, 535, 538];
    /** Mailers of Laravel's versions, and the calls that a mailer of your own may make. */
    private const AWAY = ['GuzzleHttp\\Exception\\ConnectException', 'Illuminate\\Http\\Client\\ConnectionException'];
    private const TRANSPORT = ['Swift_TransportException', 'Symfony\\Component\\Mailer\\Exception\\TransportExceptionInterface'];

    public static function isAway(\Throwable $error): bool
    {
        if (self::isOne($error, self::AWAY)) {
            return true;
        }
        if (!self::isOne($error, self::TRANSPORT)) {
            return false;
        }
        // The mailers that call an API: its answer is about the mail.
        if (is_a($error, 'Symfony\\Component\\Mailer\\Exception\\HttpTransportException')) {
            return str_starts_with($error->getMessage(), 'Could not reach');
        }
        $reply = $error->getCode();

        return $reply < 400 || $reply > 599 || in_array($reply, self::SERVER_REPLIES, true);
    }

    /** @param list<string> $classes */
    private static function isOne(\Throwable $error, array $classes): bool
    {
        foreach ($classes as $class) {
            if (is_a($error, $class)) {
                return true;
            }
        }

        return false;
    }
}
