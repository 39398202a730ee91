<?php

return [
    'default' => 'smtp',
    'mailers' => ['smtp' => ['transport' => 'smtp', 'host' => '127.0.0.1', 'port' => env('SMTP_PORT', 25)]],
    'from' => ['address' => 'shop@example.com', 'name' => 'Shop'],
];
