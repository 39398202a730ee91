<?php

/** Runs the vectors of vectors.jsonl with the PHP client: run-vectors.php VECTORS ENVIRONMENT, one line of results for each. */

declare(strict_types=1);

use Gatehouse\AnswerMeta;
use Gatehouse\ClientIp;
use Gatehouse\Exception\GatehouseException;
use Gatehouse\FormDecision;
use Gatehouse\Gatehouse;
use Gatehouse\Model\Assessment;
use Gatehouse\QuotaState;
use Gatehouse\SignupDecision;

spl_autoload_register(static function (string $class): void {
    require __DIR__ . '/../src/' . str_replace('\\', '/', substr($class, strlen('Gatehouse\\'))) . '.php';
});

[, $vectorsFile, $environmentFile] = $argv;
$environment = json_decode((string) file_get_contents($environmentFile), true);
foreach (file($vectorsFile, FILE_IGNORE_NEW_LINES) as $index => $line) {
    $results = runVector(json_decode($line, true), $index, $environment);
    echo json_encode(['index' => $index, 'results' => $results], JSON_INVALID_UTF8_SUBSTITUTE | JSON_THROW_ON_ERROR), "\n";
}

function runVector(array $vector, int $index, array $environment): array
{
    $options = $vector['client'] ?? [];
    $reported = [];
    try {
        $client = createClient($options, $index, $environment, $reported);
    } catch (GatehouseException $error) {
        return [['error' => describeError($error)]];
    }
    $results = [];
    foreach ($vector['steps'] as $step) {
        $reported = [];
        for ($times = 0; $times < ($step['times'] ?? 1); ++$times) {
            $startedAt = hrtime(true);
            try {
                $result = runStep($client, $step, resolve($step['input'] ?? [], $results), $options);
            } catch (GatehouseException $error) {
                $result = ['error' => describeError($error)];
            }
            $result['elapsed_ms'] = (hrtime(true) - $startedAt) / 1e6;
            if (($step['until'] ?? null) === 'error' && isset($result['error'])) {
                break;
            }
        }
        $results[] = in_array($step['call'], ['protect_signup', 'protect_form'], true) ? ['reported' => $reported] + $result : $result;
    }

    return $results;
}

function createClient(array $options, int $index, array $environment, array &$reported): Gatehouse
{
    $settings = [
        'url' => isset($options['url'])
            ? $environment['urls'][$options['url']]
            : "{$environment['base_url']}/$index" . ($options['path'] ?? ''),
        'key' => $environment['keys'][$options['key'] ?? 'live'],
        'timeoutMs' => array_key_exists('timeout_ms', $options) ? $options['timeout_ms'] : 60_000,
        'maxRetries' => $options['max_retries'] ?? null,
        'trustedProxies' => $options['trusted_proxies'] ?? null,
        'onFailure' => $options['on_failure'] ?? null,
        'mode' => $options['mode'] ?? null,
        'breaker' => $options['breaker'] ?? null,
        'onError' => static function (GatehouseException $error) use (&$reported): void {
            $reported[] = $error->errorCode;
        },
    ];
    if (is_array($settings['breaker'])) {
        $settings['breaker'] = array_filter([
            'failures' => $settings['breaker']['failures'],
            'openMs' => $settings['breaker']['open_ms'] ?? null,
        ], static fn (mixed $value): bool => $value !== null);
    }
    $isGiven = static fn (mixed $value, string $name): bool => $value !== null || in_array($name, ['url', 'key'], true);

    return new Gatehouse(...array_filter($settings, $isGiven, ARRAY_FILTER_USE_BOTH));
}

function runStep(Gatehouse $client, array $step, array $input, array $options): array
{
    $headers = [];
    foreach ($step['request']['headers'] ?? [] as [$name, $value]) {
        $headers[strtolower($name)][] = $value;
    }
    $peer = $step['request']['peer'] ?? null;
    $camel = static fn (string $name): string => lcfirst(str_replace('_', '', ucwords($name, '_')));
    $named = [];
    foreach ($input as $name => $value) {
        $named[$camel($name)] = $value;
    }
    switch ($step['call']) {
        case 'wait':
            usleep($input['ms'] * 1000);

            return [];
        case 'client_ip':
            return ['ip' => ClientIp::find($headers, $options['trusted_proxies'] ?? null, $peer)];
        case 'protect_signup':
            return describeDecision($client->protectSignup($headers, ...$named, peer: $peer));
        case 'protect_form':
            return describeForm($client->protectForm($headers, ...$named, peer: $peer));
    }

    return describeAnswer($client->{$camel($step['call'])}(...$named));
}

function describeDecision(SignupDecision $decision): array
{
    return [
        'decision' => $decision->decision,
        'failed_open' => $decision->failedOpen,
        'mail_unwanted' => $decision->mailUnwanted,
        'ip' => $decision->ip,
        'error' => $decision->error?->errorCode,
    ] + ($decision->assessment === null ? ['answer' => null] : describeAnswer($decision->assessment));
}

function describeForm(FormDecision $form): array
{
    return [
        'decision' => $form->decision,
        'challenge' => $form->challenge,
        'mail' => $form->mail === null ? null : ['link' => $form->mail->link, 'code' => $form->mail->code],
        'asks_captcha' => $form->asksCaptcha,
        'proof' => $form->proof,
        'problem' => $form->problem,
        'must_confirm' => $form->mustConfirm,
        'reference' => $form->reference,
        'signup' => $form->signup?->decision,
    ];
}

function describeAnswer(object $answer): array
{
    $described = ['answer' => $answer->raw, 'meta' => describeMeta($answer->meta)];
    if ($answer instanceof Assessment) {
        $described['model'] = [
            'verdict' => $answer->verdict,
            'score' => $answer->score,
            'session_id' => $answer->sessionId,
            'first_reason' => ($answer->reasons[0] ?? null)?->code,
            'domain' => $answer->signals->email->domain,
            'ip' => $answer->signals->ip?->address,
            'has_challenge' => $answer->challenge !== null,
            'has_shadow_verdict' => $answer->shadowVerdict !== null,
        ];
    }

    return $described;
}

function describeMeta(AnswerMeta $meta): array
{
    return [
        'rate_limit' => $meta->rateLimit === null ? null : ['limit' => $meta->rateLimit->limit],
        'quota' => describeQuota($meta->quota),
        'replayed' => $meta->replayed,
        'shadow_verdict' => $meta->shadowVerdict,
        'tries' => $meta->tries,
    ];
}

function describeQuota(?QuotaState $quota): ?array
{
    return $quota === null ? null : ['used' => $quota->used, 'limit' => $quota->limit];
}

function describeError(GatehouseException $error): array
{
    $name = preg_replace('/^.*\\\\|Exception$/', '', $error::class);

    return [
        'kind' => strtolower((string) preg_replace('/(?<!^)[A-Z]/', '_$0', (string) $name)),
        'code' => $error->errorCode,
        'message' => $error->getMessage(),
        'status' => $error->status,
        'param' => $error->param,
        'resolution' => $error->resolution,
        'retry_after_ms' => $error->retryAfterMs,
        'quota' => describeQuota($error->quota),
        'tries' => $error->tries,
    ];
}

/** Replaces "$0.answer.request_id" by that member of the result of step 0. */
function resolve(mixed $value, array $results): mixed
{
    if (is_string($value) && str_starts_with($value, '$')) {
        $path = explode('.', substr($value, 1));

        return array_reduce($path, static fn (mixed $at, string $name): mixed => $at[$name], $results);
    }

    if (isset($value['$repeat'])) {
        return str_repeat(...$value['$repeat']);
    }

    return is_array($value) ? array_map(static fn (mixed $each): mixed => resolve($each, $results), $value) : $value;
}
