<?php

return [
    'url' => env('GATEHOUSE_URL'),
    'key' => env('GATEHOUSE_KEY'),
    'timeout_ms' => (float) env('GATEHOUSE_TIMEOUT_MS', 3000),
    'max_retries' => 2,
    // Without a verdict: `allow` or `challenge`.
    'on_failure' => 'allow',
    // `observe` stops nobody.
    'mode' => env('GATEHOUSE_MODE', 'enforce'),
    // null: the visitor's IP is Laravel's own `$request->ip()`.
    'trusted_proxies' => null,
    // ['turnstile' => site key], also hcaptcha or recaptcha; null: `check` says what is asked for.
    'captcha' => null,
    // `proof` or `mail`; null: a mail where Gatehouse gives tokens, otherwise a proof of work.
    'check' => null,
    // Class of your own with `__invoke(Request $request, string $email, ChallengeConfirmation $mail)`.
    'send_mail' => null,
    // Page after the link of the mail, such as that of your form.
    'return_url' => null,
];
