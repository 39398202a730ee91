<?php

/** allow, challenge or block; invalid: ask for another address. */
function decide(mixed $email, ?string $ip): string
{
    $curl = curl_init(getenv('GATEHOUSE_URL') . '/v1/assess');
    curl_setopt_array($curl, [
        CURLOPT_POSTFIELDS => json_encode(['email' => $email, 'ip' => $ip], JSON_INVALID_UTF8_SUBSTITUTE),
        CURLOPT_HTTPHEADER => ['Authorization: Bearer ' . getenv('GATEHOUSE_KEY'), 'Content-Type: application/json'],
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_TIMEOUT => 3,
    ]);
    $body = is_string($email) ? curl_exec($curl) : false;
    $answer = json_decode((string) $body, true);
    $status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
    if ($status === 200 && in_array($answer['verdict'] ?? null, ['allow', 'challenge', 'block'], true)) {
        return $answer['verdict'];
    }
    if ($status === 413 || ($status === 400 && ($answer['error']['param'] ?? null) === 'email')) {
        return 'invalid';
    }
    // The failure rule: let in, and log.
    error_log("gatehouse: no verdict for a signup: status $status, " . (is_string($email) ? curl_error($curl) : 'no email'));

    return 'allow';
}

echo decide($argv[1], $argv[2]), "\n";
