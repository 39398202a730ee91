<?php

return [
    'url' => env('GATEHOUSE_URL'),
    'key' => env('GATEHOUSE_KEY'),
    // Proxies in front of Laravel. Without this line, the visitor's IP is Laravel's own `$request->ip()`.
    'trusted_proxies' => ['loopback'],
    'captcha' => env('CAPTCHA_SITE_KEY') ? ['turnstile' => env('CAPTCHA_SITE_KEY')] : null,
];
