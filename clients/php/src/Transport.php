<?php

declare(strict_types=1);

namespace Gatehouse;

use Gatehouse\Exception\ConnectionException;
use Gatehouse\Exception\TimeoutException;

/** Sends one request within its time with curl: every step together, the look-up of the name too. Redirects are not followed. */
final class Transport
{
    /** Gatehouse's own answers are far smaller. */
    private const MAX_ANSWER_BYTES = 1_048_576;

    private ?\CurlHandle $curl = null;

    /**
     * @return array{int, array<string, string>, string} status, headers by names in lower case, body
     *
     * @throws ConnectionException
     */
    public function send(ApiRequest $request, float $remainingMs, int $tries): array
    {
        $headers = [];
        $body = '';
        $curl = $this->curl ??= curl_init();
        curl_reset($curl);
        $lines = ['Expect:'];
        foreach ($request->headers as $name => $value) {
            $lines[] = "$name: $value";
        }
        $timeoutMs = max(1, (int) ceil($remainingMs));
        curl_setopt_array($curl, [
            CURLOPT_URL => $request->url,
            CURLOPT_CUSTOMREQUEST => $request->method,
            CURLOPT_HTTPHEADER => $lines,
            CURLOPT_TIMEOUT_MS => $timeoutMs,
            CURLOPT_CONNECTTIMEOUT_MS => $timeoutMs,
            CURLOPT_NOSIGNAL => true,
            // On a connection that was used before, curl would send it again by itself, uncounted.
            CURLOPT_FRESH_CONNECT => true,
            CURLOPT_FORBID_REUSE => true,
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_HEADERFUNCTION => static function (\CurlHandle $curl, string $line) use (&$headers): int {
                if (str_starts_with($line, 'HTTP/')) {
                    $headers = [];
                }
                $parts = explode(':', $line, 2);
                if (count($parts) === 2) {
                    $name = strtolower(trim($parts[0]));
                    $headers[$name] = (isset($headers[$name]) ? "$headers[$name], " : '') . trim($parts[1]);
                }

                return strlen($line);
            },
            CURLOPT_WRITEFUNCTION => static function (\CurlHandle $curl, string $chunk) use (&$body): int {
                $body .= $chunk;

                return strlen($body) > self::MAX_ANSWER_BYTES ? -1 : strlen($chunk);
            },
        ]);
        if ($request->body !== null) {
            curl_setopt($curl, CURLOPT_POSTFIELDS, $request->body);
        }
        curl_exec($curl);
        $failure = curl_errno($curl);
        if ($failure === CURLE_OPERATION_TIMEDOUT) {
            throw new TimeoutException('timeout', sprintf('No answer within %g ms.', $request->timeoutMs), tries: $tries);
        }
        if ($failure !== 0) {
            // Without addresses, which the longer text of curl has.
            throw new ConnectionException('connection_failed', curl_strerror($failure) ?? 'The request failed.', tries: $tries);
        }

        return [(int) curl_getinfo($curl, CURLINFO_RESPONSE_CODE), $headers, $body];
    }
}
