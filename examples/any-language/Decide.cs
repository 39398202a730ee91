using System.Net.Http.Headers;
using System.Net.Http.Json;
using System.Text.Json;

Console.WriteLine(await Decide(args[0], args[1]));

// allow, challenge or block; invalid: ask for another address.
static async Task<string> Decide(string? email, string? ip)
{
    try
    {
        if (email is null) throw new ArgumentException("no email: is the body parsed?");
        // In an application, one HttpClient for all requests.
        using var client = new HttpClient(new HttpClientHandler { AllowAutoRedirect = false }) { Timeout = TimeSpan.FromSeconds(3) };
        client.DefaultRequestHeaders.Authorization =
            new AuthenticationHeaderValue("Bearer", Environment.GetEnvironmentVariable("GATEHOUSE_KEY"));
        var url = Environment.GetEnvironmentVariable("GATEHOUSE_URL") + "/v1/assess";
        using var response = await client.PostAsJsonAsync(url, new { email, ip });
        using var answer = JsonDocument.Parse(await response.Content.ReadAsStringAsync());
        var status = (int)response.StatusCode;
        if (status == 200 && answer.RootElement.GetProperty("verdict").GetString() is "allow" or "challenge" or "block")
            return answer.RootElement.GetProperty("verdict").GetString()!;
        var isBadEmail = status == 400 && answer.RootElement.GetProperty("error").TryGetProperty("param", out var param)
            && param.GetString() == "email";
        if (status == 413 || isBadEmail) return "invalid";
        throw new InvalidOperationException($"status {status}");
    }
    catch (Exception failure) // the failure rule: let in, and log
    {
        Console.Error.WriteLine($"gatehouse: no verdict for a signup: {failure.Message}");
        return "allow";
    }
}
