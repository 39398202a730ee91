<?php

/** Sends signups through the middleware with Laravel's own request, session, validation and HTTP client, behind one proxy. */

foreach (['Container', 'Config', 'Http', 'Session', 'Support', 'Validation', 'Translation', 'Log', 'Events'] as $part) {
    require_once "Illuminate/$part/autoload.php";
}
require_once 'GuzzleHttp/autoload.php';
require_once 'Illuminate/Foundation/helpers.php';
require_once $argv[1].'/ProtectSignup.php';
require_once $argv[1].'/RegisterController.php';

use App\Http\Controllers\RegisterController;
use App\Http\Middleware\ProtectSignup;
use Illuminate\Config\Repository;
use Illuminate\Container\Container;
use Illuminate\Http\Client\Factory;
use Illuminate\Http\Request;
use Illuminate\Session\ArraySessionHandler;
use Illuminate\Session\Store;
use Illuminate\Support\Facades\Facade;
use Illuminate\Translation\ArrayLoader;
use Illuminate\Translation\Translator;
use Illuminate\Validation\ValidationException;

$app = new Container();
Container::setInstance($app);
Facade::setFacadeApplication($app);
$service = ['url' => getenv('GATEHOUSE_URL'), 'key' => getenv('GATEHOUSE_KEY')];
$app->instance('config', new Repository(['services' => ['gatehouse' => $service]]));
$app->singleton(Factory::class);
$app->instance('validator', new Illuminate\Validation\Factory(new Translator(new ArrayLoader(), 'en')));
$app->instance('log', new class () {
    public function warning($message)
    {
        fwrite(STDERR, "$message\n");
    }
});
Request::setTrustedProxies(['10.0.0.1'], Request::HEADER_X_FORWARDED_FOR);

function signUp(string $email, string $ip, string $password): array
{
    $server = ['REMOTE_ADDR' => '10.0.0.1', 'HTTP_X_FORWARDED_FOR' => "198.51.100.1, $ip"];
    $request = Request::create('/register', 'POST', ['email' => $email, 'password' => $password], [], [], $server);
    $session = new Store('test', new ArraySessionHandler(10));
    $session->start();
    $request->setLaravelSession($session);
    try {
        $answer = (new RegisterController())->store($request, Container::getInstance()->make('validator'), new ProtectSignup());
        return ['denied' => null, 'marked' => $answer['confirm']];
    } catch (ValidationException $refusal) {
        return ['denied' => array_values($refusal->errors())[0][0], 'marked' => false];
    }
}

while (($line = fgets(STDIN)) !== false) {
    $signup = json_decode($line, true);
    echo 'outcome '.json_encode(signUp($signup['email'], $signup['ip'], $signup['password'] ?? 'correct horse battery'))."\n";
}
