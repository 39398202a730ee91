@php($kept = session('gatehouse_challenge'))
@if ($kept['captcha'] ?? false)
  @foreach (\Gatehouse\Laravel\SignupProtection::captchaElements() as [$class, $siteKey, $script])
    <div class="{{ $class }}" data-sitekey="{{ $siteKey }}"></div>
    <script src="{{ $script }}" async defer></script>
  @endforeach
@elseif ($kept['proof'] ?? false)
  {!! \Gatehouse\Laravel\SignupProtection::proofHtml($kept) !!}
@elseif ($kept)
  <label for="gatehouse_code">{{ __('Code from our mail (empty if you have opened its link)') }}</label>
  <input id="gatehouse_code" name="gatehouse_code" value="{{ old('gatehouse_code') }}" inputmode="numeric" autocomplete="one-time-code">
@endif
@if (isset($errors) && $errors->has('gatehouse_code'))
  <p>{{ $errors->first('gatehouse_code') }}</p>
@endif
